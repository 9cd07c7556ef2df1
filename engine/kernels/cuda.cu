/* cuda.cu - the measuring kernels on an NVIDIA device. The contract is in mk.h, the device code in
 * cuda_kernels.cuh; here are the checks, the copies and the events.
 *
 * The runtime is linked statically and finds the driver when it is first called, so this loads on a
 * machine without a device, where mk_get_info says why there is none.
 */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "cuda_kernels.cuh"

extern "C" {
#include "mk.h"
}

#define EXPORT extern "C" __attribute__((visibility("default")))
#define TRY(call)                                                                                \
    do {                                                                                         \
        cudaError_t outcome_ = (call);                                                           \
        if (outcome_ != cudaSuccess) return failed(outcome_);                                    \
    } while (0)
#define REQUIRE(call)                                                                            \
    do {                                                                                         \
        int32_t status_ = (call);                                                                \
        if (status_ != MK_OK) return status_;                                                    \
    } while (0)

static thread_local char last_error[256] = "";

static int32_t fail(int32_t status, const char *sentence) {
    snprintf(last_error, sizeof last_error, "%s", sentence);
    return status;
}

static int32_t failed(cudaError_t error) {
    snprintf(last_error, sizeof last_error, "CUDA error %d: %s", (int)error,
             cudaGetErrorString(error));
    if (error == cudaErrorMemoryAllocation) return MK_NO_MEMORY;
    bool absent = error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver;
    return absent ? MK_NO_DEVICE : MK_DEVICE_FAILED;
}

EXPORT int32_t mk_abi_version(void) { return MK_ABI_VERSION; }

EXPORT const char *mk_last_error(void) { return last_error; }

static void tell_why(struct mk_info *info, cudaError_t error) {
    info->devices = 0;
    info->native_error = (int32_t)error;
    snprintf(info->reason, sizeof info->reason, "CUDA error %d: %s", (int)error,
             cudaGetErrorString(error));
}

static int64_t attribute(cudaDeviceAttr which) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess ? value : 0;
}

EXPORT int32_t mk_get_info(struct mk_info *info) {
    memset(info, 0, sizeof *info);
    snprintf(info->backend, sizeof info->backend, "cuda");
    snprintf(info->clock, sizeof info->clock, "cudaEvent");
    int version = 0, devices = 0;
    if (cudaDriverGetVersion(&version) == cudaSuccess && version)
        snprintf(info->driver, sizeof info->driver, "CUDA driver interface %d.%d", version / 1000,
                 version % 1000 / 10);
    cudaError_t error = cudaGetDeviceCount(&devices);
    cudaDeviceProp properties;
    if (error == cudaSuccess && devices) error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess || devices == 0) {
        tell_why(info, error == cudaSuccess ? cudaErrorNoDevice : error);
        return MK_OK;
    }
    info->devices = devices;
    snprintf(info->device, sizeof info->device, "%.127s", properties.name);
    info->memory_bytes = (int64_t)properties.totalGlobalMem;
    info->cache_bytes = properties.l2CacheSize;
    /* Kilohertz and bits; two transfers a clock. */
    info->bandwidth_bytes_s = attribute(cudaDevAttrMemoryClockRate) * 1000 * 2 *
                              (attribute(cudaDevAttrGlobalMemoryBusWidth) / 8);
    return MK_OK;
}

/* --- a launch ------------------------------------------------------------------------------- */

/* Memory of the device that is given back whatever happens. */
struct Memory {
    void *at = nullptr;
    size_t bytes = 0;

    Memory() = default;
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    ~Memory() { cudaFree(at); }

    int32_t take(size_t wanted) {
        bytes = wanted;
        TRY(cudaMalloc(&at, wanted ? wanted : 1));
        return MK_OK;
    }

    int32_t take(const void *from, size_t wanted) {
        REQUIRE(take(wanted));
        TRY(cudaMemcpy(at, from, wanted, cudaMemcpyHostToDevice));
        return MK_OK;
    }

    int32_t give(void *to) const {
        TRY(cudaMemcpy(to, at, bytes, cudaMemcpyDeviceToHost));
        return MK_OK;
    }

    template <class T> T *as() const { return (T *)at; }
};

struct Event {
    cudaEvent_t event = nullptr;

    Event() = default;
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    ~Event() {
        if (event) cudaEventDestroy(event);
    }

    int32_t make() {
        TRY(cudaEventCreate(&event));
        return MK_OK;
    }
};

/* The time between two events on the device, around what `action` launches. */
template <class Action> static int32_t timed(Event &begin, Event &end, Action action, int64_t *ns) {
    float milliseconds = 0.0f;
    TRY(cudaEventRecord(begin.event));
    action();
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(end.event));
    TRY(cudaEventSynchronize(end.event));
    TRY(cudaEventElapsedTime(&milliseconds, begin.event, end.event));
    *ns = (int64_t)((double)milliseconds * 1e6 + 0.5);
    return MK_OK;
}

template <class Action>
static int32_t launch_all(const struct mk_how *how, std::initializer_list<const Memory *> outputs,
                          Action action) {
    Event begin, end;
    REQUIRE(begin.make());
    REQUIRE(end.make());
    for (int32_t i = -how->warmup; i < how->launches; i++) {
        int64_t ns = 0;
        for (const Memory *output : outputs)
            TRY(cudaMemset(output->at, MK_POISON, output->bytes));
        REQUIRE(timed(begin, end, action, &ns));
        if (i >= 0) how->ns[i] = ns;
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
    return MK_OK;
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

/* Blocks for so many threads; a launch of none is an error, so there is always one. */
static unsigned blocks_for(int64_t threads) {
    int64_t blocks = (threads + THREADS - 1) / THREADS;
    return (unsigned)(blocks < 1 ? 1 : blocks);
}

/* Blocks that fill the device for a loop over n, no more than n needs. */
static unsigned blocks_to_fill(int64_t n) {
    int64_t fill = attribute(cudaDevAttrMultiProcessorCount) * 8;
    int64_t needed = blocks_for(n);
    return (unsigned)(needed < fill || fill < 1 ? needed : fill);
}

/* --- the kernels ---------------------------------------------------------------------------- */

EXPORT int32_t mk_triad(const struct mk_how *how, float *a, const float *b, const float *c,
                        float scalar, int64_t n) {
    REQUIRE(check_how(how));
    REQUIRE(check_length(n));
    Memory to, one, other;
    REQUIRE(one.take(b, (size_t)n * sizeof *b));
    REQUIRE(other.take(c, (size_t)n * sizeof *c));
    REQUIRE(to.take((size_t)n * sizeof *a));
    bool tuned = how->variant == MK_TUNED;
    unsigned blocks = tuned ? blocks_to_fill(n / 4 + 1) : blocks_for(n);
    REQUIRE(launch_all(how, {&to}, [&] {
        (tuned ? triad_tuned : triad_plain)<<<blocks, THREADS>>>(
            to.as<float>(), one.as<float>(), other.as<float>(), scalar, n);
    }));
    return to.give(a);
}

static void launch_matvec(int32_t variant, const Memory &weights, int64_t rows, int64_t columns,
                          const void *activation, const Memory &logits, const Memory &key) {
    bool tuned = variant == MK_TUNED;
    cudaMemsetAsync(key.at, 0, key.bytes);
    (tuned ? matvec_i8_tuned : matvec_i8_plain)<<<blocks_for(tuned ? rows * WARP : rows), THREADS>>>(
        weights.as<i8>(), rows, columns, (const i8 *)activation, logits.as<int>());
    argmax_i32<<<blocks_to_fill(rows), THREADS>>>(logits.as<int>(), rows, key.as<u64>());
}

EXPORT int32_t mk_matvec_i8(const struct mk_how *how, const int8_t *weights, int64_t rows,
                            int64_t columns, const int8_t *activation, int32_t *logits,
                            int64_t *best) {
    REQUIRE(check_how(how));
    REQUIRE(check_shape(rows, columns));
    Memory matrix, given, to, key, place;
    REQUIRE(matrix.take(weights, (size_t)(rows * columns)));
    REQUIRE(given.take(activation, (size_t)columns));
    REQUIRE(to.take((size_t)rows * sizeof *logits));
    REQUIRE(key.take(sizeof(u64)));
    REQUIRE(place.take(sizeof *best));
    REQUIRE(launch_all(how, {&to, &place}, [&] {
        launch_matvec(how->variant, matrix, rows, columns, given.at, to, key);
        store_best<<<1, 1>>>(key.as<u64>(), place.as<i64>());
    }));
    REQUIRE(to.give(logits));
    return place.give(best);
}

EXPORT int32_t mk_gemv_q8_0(const struct mk_how *how, const uint8_t *weights, int64_t rows,
                            int64_t columns, const uint8_t *x, float *y) {
    REQUIRE(check_how(how));
    REQUIRE(check_shape(rows, columns));
    if (columns % MK_BLOCK_NUMBERS)
        return fail(MK_BAD_ARGUMENT, "columns of q8_0 are a multiple of 32");
    int64_t bytes = columns / MK_BLOCK_NUMBERS * MK_BLOCK_BYTES;
    Memory matrix, given, to;
    REQUIRE(matrix.take(weights, (size_t)(rows * bytes)));
    REQUIRE(given.take(x, (size_t)bytes));
    REQUIRE(to.take((size_t)rows * sizeof *y));
    bool tuned = how->variant == MK_TUNED;
    REQUIRE(launch_all(how, {&to}, [&] {
        (tuned ? gemv_q8_0_tuned
               : gemv_q8_0_plain)<<<blocks_for(tuned ? rows * WARP : rows), THREADS>>>(
            matrix.as<u8>(), rows, columns, given.as<u8>(), to.as<float>());
    }));
    return to.give(y);
}

EXPORT int32_t mk_rmsnorm(const struct mk_how *how, const float *x, const float *gain,
                          float epsilon, int64_t rows, int64_t columns, float *y) {
    REQUIRE(check_how(how));
    REQUIRE(check_shape(rows, columns));
    if (!(epsilon > 0.0f)) return fail(MK_BAD_ARGUMENT, "epsilon is not above 0");
    Memory given, factors, to;
    REQUIRE(given.take(x, (size_t)(rows * columns) * sizeof *x));
    REQUIRE(factors.take(gain, (size_t)columns * sizeof *gain));
    REQUIRE(to.take((size_t)(rows * columns) * sizeof *y));
    bool tuned = how->variant == MK_TUNED;
    REQUIRE(launch_all(how, {&to}, [&] {
        if (rows == 0) return;
        (tuned ? rmsnorm_tuned : rmsnorm_plain)<<<tuned ? (unsigned)rows : blocks_for(rows),
                                                  THREADS>>>(
            given.as<float>(), factors.as<float>(), epsilon, rows, columns, to.as<float>());
    }));
    return to.give(y);
}

EXPORT int32_t mk_matvec_f32(const struct mk_how *how, const float *weights, int64_t rows,
                             int64_t columns, const float *x, float *y) {
    REQUIRE(check_how(how));
    REQUIRE(check_shape(rows, columns));
    Memory matrix, given, to;
    REQUIRE(matrix.take(weights, (size_t)(rows * columns) * sizeof *weights));
    REQUIRE(given.take(x, (size_t)columns * sizeof *x));
    REQUIRE(to.take((size_t)rows * sizeof *y));
    bool tuned = how->variant == MK_TUNED;
    REQUIRE(launch_all(how, {&to}, [&] {
        (tuned ? matvec_f32_tuned
               : matvec_f32_plain)<<<blocks_for(tuned ? rows * WARP : rows), THREADS>>>(
            matrix.as<float>(), rows, columns, given.as<float>(), to.as<float>());
    }));
    return to.give(y);
}

EXPORT int32_t mk_argmax_f32(const struct mk_how *how, const float *logits, int64_t n,
                             int64_t *best) {
    REQUIRE(check_how(how));
    REQUIRE(check_length(n));
    Memory given, key, nan, place;
    int found = 0;
    REQUIRE(given.take(logits, (size_t)n * sizeof *logits));
    REQUIRE(key.take(sizeof(u64)));
    REQUIRE(nan.take(&found, sizeof found));
    REQUIRE(place.take(sizeof *best));
    bool tuned = how->variant == MK_TUNED;
    REQUIRE(launch_all(how, {&place}, [&] {
        cudaMemsetAsync(key.at, 0, key.bytes);
        (tuned ? argmax_f32_tuned
               : argmax_f32_plain)<<<tuned ? blocks_to_fill(n) : blocks_for(n), THREADS>>>(
            given.as<float>(), n, key.as<u64>(), nan.as<int>());
        store_best<<<1, 1>>>(key.as<u64>(), place.as<i64>());
    }));
    REQUIRE(nan.give(&found));
    if (found) return fail(MK_NOT_A_NUMBER, "a logit is NaN; NaN is neither large nor small");
    return place.give(best);
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
    return MK_OK;
}

EXPORT int32_t mk_decode(int32_t variant, const int8_t *weights, const int8_t *embeddings,
                         int64_t vocab, int64_t width, const int32_t *prompt, int64_t prompts,
                         int64_t outputs, int32_t *tokens, int64_t *token_ns, int64_t *prefill_ns,
                         int32_t *logits) {
    REQUIRE(check_decode(variant, vocab, width, prompt, prompts, outputs));
    Memory matrix, rows, given, made, scores, key, states[2];
    Event begin, end;
    REQUIRE(begin.make());
    REQUIRE(end.make());
    REQUIRE(matrix.take(weights, (size_t)(vocab * width)));
    REQUIRE(rows.take(embeddings, (size_t)(vocab * width)));
    REQUIRE(given.take(prompt, (size_t)prompts * sizeof *prompt));
    REQUIRE(made.take((size_t)outputs * sizeof *tokens));
    REQUIRE(scores.take((size_t)vocab * sizeof *logits));
    REQUIRE(key.take(sizeof(u64)));
    for (Memory &state : states) {
        REQUIRE(state.take((size_t)width));
        TRY(cudaMemset(state.at, 0, state.bytes));
    }
    int now = 0;
    auto take = [&](const int *token) {
        absorb<<<blocks_for(width), THREADS>>>(states[now].as<u8>(), rows.as<i8>(), width, token,
                                               states[1 - now].as<u8>());
        now = 1 - now;
    };
    REQUIRE(timed(begin, end, [&] {
        for (int64_t i = 0; i < prompts; i++) take(given.as<int>() + i);
    }, prefill_ns));
    for (int64_t i = 0; i < outputs; i++) {
        REQUIRE(timed(begin, end, [&] {
            launch_matvec(variant, matrix, vocab, width, states[now].at, scores, key);
            store_token<<<1, 1>>>(key.as<u64>(), made.as<int>() + i);
            take(made.as<int>() + i);
        }, token_ns + i));
    }
    REQUIRE(made.give(tokens));
    return scores.give(logits);
}
