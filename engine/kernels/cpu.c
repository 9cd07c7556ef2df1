/* cpu.c - the measuring kernels for any CPU, in portable C11. The contract is in mk.h. */
#define _POSIX_C_SOURCE 200809L

#include "mk.h"

#include <stdlib.h>
#include <time.h>

/* `plain` is the loop as one first writes it, and must stay scalar whatever -O3 would make of it. */
#if defined(__clang__)
#define KEEP_SCALAR
#define SCALAR_LOOP _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
#elif defined(__GNUC__)
#define KEEP_SCALAR __attribute__((noinline, optimize("no-tree-vectorize,no-unroll-loops")))
#define SCALAR_LOOP
#else
#define KEEP_SCALAR
#define SCALAR_LOOP
#endif

typedef void matvec_function(const int8_t *restrict, int64_t, int64_t, const int8_t *restrict,
                             int32_t *restrict);

static _Thread_local const char *last_error = "";

static int32_t fail(int32_t status, const char *sentence) {
    last_error = sentence;
    return status;
}

int32_t mk_abi_version(void) { return MK_ABI_VERSION; }

const char *mk_last_error(void) { return last_error; }

KEEP_SCALAR
static void matvec_plain(const int8_t *restrict weights, int64_t rows, int64_t columns,
                         const int8_t *restrict activation, int32_t *restrict logits) {
    for (int64_t r = 0; r < rows; r++) {
        int32_t sum = 0;
        SCALAR_LOOP
        for (int64_t c = 0; c < columns; c++) sum += weights[r * columns + c] * activation[c];
        logits[r] = sum;
    }
}

/* Four rows share each load of the activation, and their four sums do not wait for one another. */
static void matvec_tuned(const int8_t *restrict weights, int64_t rows, int64_t columns,
                         const int8_t *restrict activation, int32_t *restrict logits) {
    int64_t r = 0;
    for (; r + 4 <= rows; r += 4) {
        const int8_t *restrict w0 = weights + r * columns;
        const int8_t *restrict w1 = w0 + columns;
        const int8_t *restrict w2 = w1 + columns;
        const int8_t *restrict w3 = w2 + columns;
        int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int64_t c = 0; c < columns; c++) {
            int16_t a = activation[c];
            s0 += (int16_t)w0[c] * a;
            s1 += (int16_t)w1[c] * a;
            s2 += (int16_t)w2[c] * a;
            s3 += (int16_t)w3[c] * a;
        }
        logits[r] = s0;
        logits[r + 1] = s1;
        logits[r + 2] = s2;
        logits[r + 3] = s3;
    }
    for (; r < rows; r++) {
        const int8_t *restrict w = weights + r * columns;
        int32_t sum = 0;
        for (int64_t c = 0; c < columns; c++) sum += (int16_t)w[c] * (int16_t)activation[c];
        logits[r] = sum;
    }
}

static matvec_function *matvec_of(int32_t variant) {
    switch (variant) {
    case MK_PLAIN: return matvec_plain;
    case MK_TUNED: return matvec_tuned;
    default: return NULL;
    }
}

static int64_t lowest_argmax(const int32_t *logits, int64_t rows) {
    int64_t best = rows > 0 ? 0 : -1;
    for (int64_t r = 1; r < rows; r++)
        if (logits[r] > logits[best]) best = r;
    return best;
}

int32_t mk_matvec(int32_t variant, const int8_t *weights, int64_t rows, int64_t columns,
                  const int8_t *activation, int32_t *logits, int64_t *best) {
    matvec_function *matvec = matvec_of(variant);
    if (!matvec) return fail(MK_BAD_ARGUMENT, "unknown variant; it is 0 (plain) or 1 (tuned)");
    if (rows < 0 || rows > INT32_MAX) return fail(MK_BAD_ARGUMENT, "rows outside 0 to 2^31 - 1");
    if (columns < 0 || columns > MK_MAX_COLUMNS)
        return fail(MK_BAD_ARGUMENT, "columns outside 0 to 131071; more could overflow int32");
    matvec(weights, rows, columns, activation, logits);
    *best = lowest_argmax(logits, rows);
    return MK_OK;
}

static void absorb(uint8_t *restrict state, const int8_t *restrict embedding, int64_t width) {
    uint8_t first = state[0];
    for (int64_t i = 0; i + 1 < width; i++)
        state[i] = (uint8_t)(5u * state[i + 1] + (uint8_t)embedding[i]);
    state[width - 1] = (uint8_t)(5u * first + (uint8_t)embedding[width - 1]);
}

/* Nanoseconds of CLOCK_MONOTONIC, or -1. */
static int64_t now(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return -1;
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int32_t check_decode(int64_t vocab, int64_t width, const int32_t *prompt, int64_t prompts,
                            int64_t outputs) {
    if (vocab < 1 || vocab > INT32_MAX) return fail(MK_BAD_ARGUMENT, "vocab outside 1 to 2^31 - 1");
    if (width < 1 || width > MK_MAX_COLUMNS)
        return fail(MK_BAD_ARGUMENT, "width outside 1 to 131071; more could overflow int32");
    if (prompts < 0 || outputs < 1)
        return fail(MK_BAD_ARGUMENT, "a prompt is 0 tokens or more, an output 1 or more");
    for (int64_t i = 0; i < prompts; i++)
        if (prompt[i] < 0 || prompt[i] >= vocab)
            return fail(MK_BAD_ARGUMENT, "a prompt token is outside the vocabulary");
    return now() < 0 ? fail(MK_NO_CLOCK, "CLOCK_MONOTONIC cannot be read") : MK_OK;
}

int32_t mk_decode(int32_t variant, const int8_t *weights, const int8_t *embeddings, int64_t vocab,
                  int64_t width, const int32_t *prompt, int64_t prompts, int64_t outputs,
                  int32_t *tokens, int64_t *token_ns, int64_t *prefill_ns, int32_t *logits) {
    matvec_function *matvec = matvec_of(variant);
    if (!matvec) return fail(MK_BAD_ARGUMENT, "unknown variant; it is 0 (plain) or 1 (tuned)");
    int32_t status = check_decode(vocab, width, prompt, prompts, outputs);
    if (status != MK_OK) return status;
    uint8_t *state = calloc((size_t)width, 1);
    if (!state) return fail(MK_NO_MEMORY, "no memory for the state");

    int64_t begin = now();
    for (int64_t i = 0; i < prompts; i++) absorb(state, embeddings + prompt[i] * width, width);
    *prefill_ns = now() - begin;

    for (int64_t i = 0; i < outputs; i++) {
        begin = now();
        matvec(weights, vocab, width, (const int8_t *)state, logits);
        tokens[i] = (int32_t)lowest_argmax(logits, vocab);
        absorb(state, embeddings + tokens[i] * width, width);
        token_ns[i] = now() - begin;
    }
    free(state);
    return MK_OK;
}
