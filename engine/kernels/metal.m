/* metal.m - the host side of metal.metal. UNTESTED: nobody has run it on a Mac yet.
 *
 * The contract is in mk.h. Memory is shared, so nothing is copied to the device inside a measured
 * time, which is from GPUStartTime to GPUEndTime of one command buffer a launch.
 */
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

#include <string.h>

#include "mk.h"

/* The bytes of metal.metal are part of the library: what was digested is what is compiled. */
__asm__(".section __TEXT,__const\n"
        ".globl _mk_metal_source\n"
        "_mk_metal_source:\n"
        ".incbin \"metal.metal\"\n"
        ".byte 0\n"
        ".text\n");
extern const char mk_metal_source[];

#define EXPORT __attribute__((visibility("default")))
#define WIDTH 32
#define PARTS 1024

/* The same as in metal.metal. */
struct sizes {
    int64_t n;
    int64_t rows;
    int64_t columns;
    float scalar;
    int32_t parts;
};

static _Thread_local char last_error[256] = "";
static id<MTLDevice> device;
static id<MTLCommandQueue> queue;
static id<MTLLibrary> library;

static int32_t fail(int32_t status, const char *sentence) {
    strlcpy(last_error, sentence, sizeof last_error);
    return status;
}

static int32_t open_device(void) {
    static dispatch_once_t once;
    static int32_t status = MK_OK;
    static char why[256];
    dispatch_once(&once, ^{
        device = MTLCreateSystemDefaultDevice();
        if (!device) {
            status = fail(MK_NO_DEVICE, "Metal finds no device");
        } else {
            NSError *error = nil;
            MTLCompileOptions *options = [MTLCompileOptions new];
            options.fastMathEnabled = NO;
            NSString *source = [NSString stringWithUTF8String:mk_metal_source];
            library = [device newLibraryWithSource:source options:options error:&error];
            queue = [device newCommandQueue];
            if (!library || !queue)
                status = fail(MK_DEVICE_FAILED, error.localizedDescription.UTF8String
                                                    ?: "Metal gives no command queue");
        }
        strlcpy(why, last_error, sizeof why);
    });
    return status == MK_OK ? MK_OK : fail(status, why);
}

EXPORT int32_t mk_abi_version(void) { return MK_ABI_VERSION; }

EXPORT const char *mk_last_error(void) { return last_error; }

EXPORT int32_t mk_get_info(struct mk_info *info) {
    memset(info, 0, sizeof *info);
    strlcpy(info->backend, "metal", sizeof info->backend);
    strlcpy(info->clock, "MTLCommandBuffer", sizeof info->clock);
    @autoreleasepool {
        int32_t status = open_device();
        if (status != MK_OK) {
            info->native_error = status;
            strlcpy(info->reason, last_error, sizeof info->reason);
            return MK_OK;
        }
        info->devices = 1;
        info->memory_bytes = (int64_t)device.recommendedMaxWorkingSetSize;
        strlcpy(info->device, device.name.UTF8String, sizeof info->device);
    }
    return MK_OK;
}

/* --- a launch ------------------------------------------------------------------------------- */

/* One dispatch: a function of metal.metal, its buffers in order, its sizes, how many threads. */
@interface Step : NSObject
@property(nonatomic) NSString *name;
@property(nonatomic) NSArray<id<MTLBuffer>> *buffers;
@property(nonatomic) struct sizes sizes;
@property(nonatomic) int64_t threads;
@end

@implementation Step
@end

static Step *step(NSString *name, NSArray<id<MTLBuffer>> *buffers, struct sizes sizes,
                  int64_t threads) {
    Step *made = [Step new];
    made.name = name;
    made.buffers = buffers;
    made.sizes = sizes;
    made.threads = threads;
    return made;
}

static id<MTLBuffer> shared(const void *from, int64_t bytes) {
    NSUInteger length = bytes > 0 ? (NSUInteger)bytes : 1;
    id<MTLBuffer> made = [device newBufferWithLength:length options:MTLResourceStorageModeShared];
    if (made && from && bytes > 0) memcpy(made.contents, from, (size_t)bytes);
    return made;
}

static id<MTLComputePipelineState> pipeline_of(NSString *name) {
    id<MTLFunction> function = [library newFunctionWithName:name];
    return function ? [device newComputePipelineStateWithFunction:function error:nil] : nil;
}

/* Runs the steps one after the other in one command buffer and takes its time. */
static int32_t timed(NSArray<Step *> *steps, int64_t *ns) {
    id<MTLCommandBuffer> commands = [queue commandBuffer];
    for (Step *one in steps) {
        id<MTLComputePipelineState> pipeline = pipeline_of(one.name);
        if (!pipeline) return fail(MK_DEVICE_FAILED, "Metal compiles no pipeline for a kernel");
        id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
        [encoder setComputePipelineState:pipeline];
        NSUInteger index = 0;
        for (id<MTLBuffer> buffer in one.buffers) [encoder setBuffer:buffer offset:0 atIndex:index++];
        struct sizes sizes = one.sizes;
        [encoder setBytes:&sizes length:sizeof sizes atIndex:index];
        NSUInteger groups = (NSUInteger)((one.threads + WIDTH * 8 - 1) / (WIDTH * 8));
        [encoder dispatchThreadgroups:MTLSizeMake(groups ? groups : 1, 1, 1)
                threadsPerThreadgroup:MTLSizeMake(WIDTH * 8, 1, 1)];
        [encoder endEncoding];
    }
    [commands commit];
    [commands waitUntilCompleted];
    if (commands.status != MTLCommandBufferStatusCompleted)
        return fail(MK_DEVICE_FAILED, commands.error.localizedDescription.UTF8String
                                          ?: "Metal did not complete a command buffer");
    *ns = (int64_t)((commands.GPUEndTime - commands.GPUStartTime) * 1e9 + 0.5);
    return MK_OK;
}

static int32_t launch_all(const struct mk_how *how, NSArray<id<MTLBuffer>> *outputs,
                          NSArray<Step *> *steps) {
    for (int32_t i = -how->warmup; i < how->launches; i++) {
        @autoreleasepool {
            int64_t ns = 0;
            for (id<MTLBuffer> output in outputs) memset(output.contents, MK_POISON, output.length);
            int32_t status = timed(steps, &ns);
            if (status != MK_OK) return status;
            if (i >= 0) how->ns[i] = ns;
        }
    }
    return MK_OK;
}

static int32_t check_how(const struct mk_how *how) {
    if (how->variant != MK_PLAIN && how->variant != MK_TUNED)
        return fail(MK_BAD_ARGUMENT, "unknown variant; it is 0 (plain) or 1 (tuned)");
    if (how->threads != 1)
        return fail(MK_BAD_ARGUMENT, "a device schedules its own threads; threads is 1");
    if (how->warmup < 0 || how->launches < 1)
        return fail(MK_BAD_ARGUMENT, "warm-up launches are 0 or more, launches 1 or more");
    return open_device();
}

static int32_t check_shape(int64_t rows, int64_t columns) {
    if (rows < 0 || rows > MK_MAX_ROWS) return fail(MK_BAD_ARGUMENT, "rows outside 0 to 2^31 - 1");
    if (columns < 0 || columns > MK_MAX_COLUMNS)
        return fail(MK_BAD_ARGUMENT, "columns outside 0 to 131071; more could overflow int32");
    return MK_OK;
}

static int32_t check_length(int64_t n) {
    if (n < 0 || n > MK_MAX_ROWS) return fail(MK_BAD_ARGUMENT, "n outside 0 to 2^31 - 1");
    return MK_OK;
}

static NSString *named(NSString *kernel, int32_t variant) {
    return [kernel stringByAppendingString:variant == MK_TUNED ? @"_tuned" : @"_plain"];
}

/* --- the kernels ---------------------------------------------------------------------------- */

EXPORT int32_t mk_triad(const struct mk_how *how, float *a, const float *b, const float *c,
                        float scalar, int64_t n) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_length(n);
    if (status != MK_OK) return status;
    @autoreleasepool {
        int64_t bytes = n * (int64_t)sizeof *a;
        id<MTLBuffer> to = shared(NULL, bytes), one = shared(b, bytes), other = shared(c, bytes);
        if (!to || !one || !other) return fail(MK_NO_MEMORY, "no memory for the arrays");
        struct sizes sizes = {.n = n, .scalar = scalar};
        NSArray *buffers = @[ to, one, other ];
        int64_t threads = how->variant == MK_TUNED ? n / 4 + 1 : n;
        status = launch_all(how, @[ to ],
                            @[ step(named(@"triad", how->variant), buffers, sizes, threads) ]);
        if (status == MK_OK) memcpy(a, to.contents, (size_t)bytes);
        return status;
    }
}

/* A kernel of the form weights, x, y with one output a row. */
static int32_t by_row(const struct mk_how *how, NSString *kernel, NSArray<id<MTLBuffer>> *buffers,
                      struct sizes sizes, void *to) {
    if (buffers.count != 3) return fail(MK_NO_MEMORY, "no memory for the arrays");
    int64_t threads = how->variant == MK_TUNED ? sizes.rows * WIDTH : sizes.rows;
    int32_t status =
        launch_all(how, @[ buffers[2] ],
                   @[ step(named(kernel, how->variant), buffers, sizes, threads) ]);
    if (status == MK_OK && sizes.n > 0) memcpy(to, buffers[2].contents, (size_t)sizes.n);
    return status;
}

/* The three buffers, or none when there is no memory for one of them. */
static NSArray<id<MTLBuffer>> *three(id<MTLBuffer> one, id<MTLBuffer> other, id<MTLBuffer> to) {
    return one && other && to ? @[ one, other, to ] : @[];
}

EXPORT int32_t mk_gemv_q8_0(const struct mk_how *how, const uint8_t *weights, int64_t rows,
                            int64_t columns, const uint8_t *x, float *y) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_shape(rows, columns);
    if (status != MK_OK) return status;
    if (columns % MK_BLOCK_NUMBERS)
        return fail(MK_BAD_ARGUMENT, "columns of q8_0 are a multiple of 32");
    @autoreleasepool {
        int64_t bytes = columns / MK_BLOCK_NUMBERS * MK_BLOCK_BYTES;
        int64_t output = rows * (int64_t)sizeof *y;
        struct sizes sizes = {.n = output, .rows = rows, .columns = columns};
        return by_row(how, @"gemv_q8_0",
                      three(shared(weights, rows * bytes), shared(x, bytes), shared(NULL, output)),
                      sizes, y);
    }
}

EXPORT int32_t mk_rmsnorm(const struct mk_how *how, const float *x, const float *gain,
                          float epsilon, int64_t rows, int64_t columns, float *y) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_shape(rows, columns);
    if (status != MK_OK) return status;
    if (!(epsilon > 0.0f)) return fail(MK_BAD_ARGUMENT, "epsilon is not above 0");
    @autoreleasepool {
        int64_t output = rows * columns * (int64_t)sizeof *y;
        struct sizes sizes = {.n = output, .rows = rows, .columns = columns, .scalar = epsilon};
        int64_t bytes = columns * (int64_t)sizeof *gain;
        return by_row(how, @"rmsnorm", three(shared(x, output), shared(gain, bytes),
                                             shared(NULL, output)), sizes, y);
    }
}

EXPORT int32_t mk_matvec_f32(const struct mk_how *how, const float *weights, int64_t rows,
                             int64_t columns, const float *x, float *y) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_shape(rows, columns);
    if (status != MK_OK) return status;
    @autoreleasepool {
        int64_t bytes = columns * (int64_t)sizeof *x, output = rows * (int64_t)sizeof *y;
        struct sizes sizes = {.n = output, .rows = rows, .columns = columns};
        return by_row(how, @"matvec_f32",
                      three(shared(weights, rows * bytes), shared(x, bytes), shared(NULL, output)),
                      sizes, y);
    }
}

EXPORT int32_t mk_argmax_f32(const struct mk_how *how, const float *logits, int64_t n,
                             int64_t *best) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_length(n);
    if (status != MK_OK) return status;
    @autoreleasepool {
        id<MTLBuffer> given = shared(logits, n * (int64_t)sizeof *logits);
        id<MTLBuffer> bests = shared(NULL, PARTS * (int64_t)sizeof *best);
        id<MTLBuffer> place = shared(NULL, sizeof *best);
        if (!given || !bests || !place) return fail(MK_NO_MEMORY, "no memory for the arrays");
        struct sizes sizes = {.n = n, .parts = how->variant == MK_TUNED ? PARTS : 1};
        status = launch_all(how, @[ place ], @[
            step(@"argmax_f32_part", @[ given, bests ], sizes, sizes.parts),
            step(@"argmax_f32_finish", @[ given, bests, place ], sizes, 1)
        ]);
        if (status != MK_OK) return status;
        memcpy(best, place.contents, sizeof *best);
        return *best < -1 ? fail(MK_NOT_A_NUMBER, "a logit is NaN; NaN is neither large nor small")
                          : MK_OK;
    }
}

static NSArray<Step *> *matvec_steps(int32_t variant, NSArray<id<MTLBuffer>> *buffers,
                                     id<MTLBuffer> bests, id<MTLBuffer> place,
                                     struct sizes sizes) {
    int64_t threads = variant == MK_TUNED ? sizes.rows * WIDTH : sizes.rows;
    id<MTLBuffer> logits = buffers[2];
    return @[
        step(named(@"matvec_i8", variant), buffers, sizes, threads),
        step(@"argmax_i32_part", @[ logits, bests ], sizes, PARTS),
        step(@"argmax_i32_finish", @[ logits, bests, place ], sizes, 1)
    ];
}

EXPORT int32_t mk_matvec_i8(const struct mk_how *how, const int8_t *weights, int64_t rows,
                            int64_t columns, const int8_t *activation, int32_t *logits,
                            int64_t *best) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_shape(rows, columns);
    if (status != MK_OK) return status;
    @autoreleasepool {
        int64_t output = rows * (int64_t)sizeof *logits;
        NSArray *buffers = three(shared(weights, rows * columns), shared(activation, columns),
                                 shared(NULL, output));
        id<MTLBuffer> bests = shared(NULL, PARTS * (int64_t)sizeof *best);
        id<MTLBuffer> place = shared(NULL, sizeof *best);
        if (buffers.count != 3 || !bests || !place)
            return fail(MK_NO_MEMORY, "no memory for the arrays");
        struct sizes sizes = {.rows = rows, .columns = columns, .parts = PARTS};
        status = launch_all(how, @[ buffers[2], place ],
                            matvec_steps(how->variant, buffers, bests, place, sizes));
        if (status != MK_OK) return status;
        if (output > 0) memcpy(logits, ((id<MTLBuffer>)buffers[2]).contents, (size_t)output);
        memcpy(best, place.contents, sizeof *best);
        return MK_OK;
    }
}

/* --- the decoder ---------------------------------------------------------------------------- */

static int32_t check_decode(int32_t variant, int64_t vocab, int64_t width, const int32_t *prompt,
                            int64_t prompts, int64_t outputs) {
    if (variant != MK_PLAIN && variant != MK_TUNED)
        return fail(MK_BAD_ARGUMENT, "unknown variant; it is 0 (plain) or 1 (tuned)");
    if (vocab < 1 || vocab > MK_MAX_ROWS)
        return fail(MK_BAD_ARGUMENT, "vocab outside 1 to 2^31 - 1");
    if (width < 1 || width > MK_MAX_COLUMNS)
        return fail(MK_BAD_ARGUMENT, "width outside 1 to 131071; more could overflow int32");
    if (prompts < 0 || outputs < 1)
        return fail(MK_BAD_ARGUMENT, "a prompt is 0 tokens or more, an output 1 or more");
    for (int64_t i = 0; i < prompts; i++)
        if (prompt[i] < 0 || prompt[i] >= vocab)
            return fail(MK_BAD_ARGUMENT, "a prompt token is outside the vocabulary");
    return open_device();
}

EXPORT int32_t mk_decode(int32_t variant, const int8_t *weights, const int8_t *embeddings,
                         int64_t vocab, int64_t width, const int32_t *prompt, int64_t prompts,
                         int64_t outputs, int32_t *tokens, int64_t *token_ns, int64_t *prefill_ns,
                         int32_t *logits) {
    int32_t status = check_decode(variant, vocab, width, prompt, prompts, outputs);
    if (status != MK_OK) return status;
    @autoreleasepool {
        id<MTLBuffer> matrix = shared(weights, vocab * width);
        id<MTLBuffer> rows = shared(embeddings, vocab * width);
        id<MTLBuffer> scores = shared(NULL, vocab * (int64_t)sizeof *logits);
        id<MTLBuffer> bests = shared(NULL, PARTS * (int64_t)sizeof(int64_t));
        id<MTLBuffer> place = shared(NULL, sizeof(int64_t));
        id<MTLBuffer> states[2] = {shared(NULL, width), shared(NULL, width)};
        if (!matrix || !rows || !scores || !bests || !place || !states[0] || !states[1])
            return fail(MK_NO_MEMORY, "no memory for the arrays");
        memset(states[0].contents, 0, (size_t)width);
        struct sizes sizes = {.rows = vocab, .columns = width, .parts = PARTS};
        int now = 0;
        *prefill_ns = 0;
        for (int64_t i = 0; i < prompts; i++, now = 1 - now) {
            int64_t token = prompt[i], ns = 0;
            memcpy(place.contents, &token, sizeof token);
            status = timed(@[ step(@"absorb", @[ states[now], rows, place, states[1 - now] ],
                                   sizes, width) ], &ns);
            if (status != MK_OK) return status;
            *prefill_ns += ns;
        }
        for (int64_t i = 0; i < outputs; i++, now = 1 - now) {
            NSArray *buffers = three(matrix, states[now], scores);
            NSArray *steps = [matvec_steps(variant, buffers, bests, place, sizes)
                arrayByAddingObject:step(@"absorb",
                                         @[ states[now], rows, place, states[1 - now] ], sizes,
                                         width)];
            status = timed(steps, token_ns + i);
            if (status != MK_OK) return status;
            tokens[i] = (int32_t)*(const int64_t *)place.contents;
        }
        memcpy(logits, scores.contents, (size_t)vocab * sizeof *logits);
        return MK_OK;
    }
}
