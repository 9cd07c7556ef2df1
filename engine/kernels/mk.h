/* mk.h - the one C interface of the measuring kernels, whatever they run on.
 *
 * A caller checks mk_abi_version() against MK_ABI_VERSION before anything else. Every other function
 * returns MK_OK, or a code below with a sentence in mk_last_error(); after a failure the outputs hold
 * nothing to be believed. No function keeps a pointer or anything else but that sentence.
 *
 * Variants compute the same thing in different ways. `exact` kernels give the same bits for every
 * variant, number of threads and backend; the others stay within the bound that verify states, and
 * differ in the last bits where the order of a sum differs.
 *
 * All arrays lie in the host's memory, row-major and without gaps; floats are aligned to 4 bytes,
 * int8 and blocks to nothing. Copies to and from a device are never inside a measured time.
 */
#ifndef MK_H
#define MK_H

#include <stdint.h>

#define MK_ABI_VERSION 2

/* Two int8 multiply to at most 2^14, so 2^17 - 1 of them sum to less than 2^31 (2^17 would not). */
#define MK_MAX_COLUMNS 131071
#define MK_MAX_ROWS 2147483647
#define MK_MAX_THREADS 1024

/* A q8_0 block: a half-precision scale (little-endian), then 32 int8; 34 bytes for 32 numbers. */
#define MK_BLOCK_NUMBERS 32
#define MK_BLOCK_BYTES 34

/* Before every launch all outputs are filled with this byte, outside the clock: as floats it is NaN,
 * as integers -1. What a launch leaves out is seen, and no earlier launch can stand in for it. */
#define MK_POISON 0xFF

enum mk_variant { MK_PLAIN = 0, MK_TUNED = 1 };
enum mk_status {
    MK_OK = 0,
    MK_BAD_ARGUMENT = 1,
    MK_NO_MEMORY = 2,
    MK_NO_CLOCK = 3,
    MK_NO_DEVICE = 4,
    MK_NOT_A_NUMBER = 5,
    MK_DEVICE_FAILED = 6,
    MK_NO_THREAD = 7
};

/* What runs the kernels. Text ends in a zero; 0 and "" mean that it is not told. */
struct mk_info {
    int32_t devices;           /* how many could be used; 0 comes with a reason */
    int32_t native_error;      /* the driver's own number of that reason */
    int64_t memory_bytes;      /* of the device */
    int64_t cache_bytes;       /* of its last level */
    int64_t bandwidth_bytes_s; /* nominal: memory clock times bus width */
    char backend[16];
    char device[128];
    char driver[64];
    char clock[32]; /* where the times come from */
    char reason[256];
};

/* How a kernel is to be launched. `ns` receives one time a launch, the warm-up left out.
 * `threads` are of the CPU; a device schedules by itself and takes 1. */
struct mk_how {
    int32_t variant;
    int32_t threads;
    int32_t warmup;
    int32_t launches;
    int64_t *ns;
};

int32_t mk_abi_version(void);

/* The last failure in this thread, in one line; "" when there was none. */
const char *mk_last_error(void);

/* Fills `info`; MK_OK as well where nothing can run, for that is the answer. */
int32_t mk_get_info(struct mk_info *info);

/* exact: a[i] = b[i] + scalar * c[i], product and sum each rounded to float. */
int32_t mk_triad(const struct mk_how *how, float *a, const float *b, const float *c, float scalar,
                 int64_t n);

/* exact: logits[r] = sum over c of weights[r * columns + c] * activation[c] in int32, and *best = the
 * lowest r with the largest logit, or -1 when there are no rows. */
int32_t mk_matvec_i8(const struct mk_how *how, const int8_t *weights, int64_t rows,
                     int64_t columns, const int8_t *activation, int32_t *logits, int64_t *best);

/* y[r] = sum over blocks k of scale_w * scale_x * (sum of the products of the block's int8).
 * Products are added in int32, exactly, and at most eight parts of a block's sum are then scaled.
 * `columns` is a multiple of 32; weights and x are q8_0 blocks, columns / 32 of them a row. */
int32_t mk_gemv_q8_0(const struct mk_how *how, const uint8_t *weights, int64_t rows,
                     int64_t columns, const uint8_t *x, float *y);

/* y[r, c] = x[r, c] * gain[c] / sqrt(mean over the row of x^2 + epsilon). */
int32_t mk_rmsnorm(const struct mk_how *how, const float *x, const float *gain, float epsilon,
                   int64_t rows, int64_t columns, float *y);

/* y[r] = sum over c of weights[r * columns + c] * x[c] in float: the variants add in different
 * orders on purpose, so that an exactness gate has something to refuse. */
int32_t mk_matvec_f32(const struct mk_how *how, const float *weights, int64_t rows,
                      int64_t columns, const float *x, float *y);

/* exact: *best = the lowest index of the largest of n logits, or -1 when n is 0; -0.0 equals 0.0,
 * and a NaN anywhere is MK_NOT_A_NUMBER. */
int32_t mk_argmax_f32(const struct mk_how *how, const float *logits, int64_t n, int64_t *best);

/* Decode greedily. The state is `width` bytes, all 0 at first; to absorb token t is, for every i at
 * once and modulo 256, state[i] = 5 * state[(i + 1) % width] + embeddings[t * width + i]. Five is
 * odd, so no earlier token is ever forgotten. The prompt is absorbed (prefill_ns); each of the
 * `outputs` steps is then mk_matvec_i8 of the state read as int8, its argmax as the token, and
 * absorbing it (token_ns, one whole step each). `logits` holds the last step's. */
int32_t mk_decode(int32_t variant, const int8_t *weights, const int8_t *embeddings, int64_t vocab,
                  int64_t width, const int32_t *prompt, int64_t prompts, int64_t outputs,
                  int32_t *tokens, int64_t *token_ns, int64_t *prefill_ns, int32_t *logits);

#endif
