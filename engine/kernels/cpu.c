/* cpu.c - the measuring kernels for any CPU, in C11. The contract is in mk.h, the loops in
 * cpu_kernels.h; here are the checks, the threads and the clock. */
#define _POSIX_C_SOURCE 200809L

#include "mk.h"

#include "cpu_kernels.h"

#include <float.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define MAX_OUTPUTS 2
#define SPINS 4096

_Static_assert(FLT_EVAL_METHOD == 0, "float must be computed as float");

static _Thread_local const char *last_error = "";

static int32_t fail(int32_t status, const char *sentence) {
    last_error = sentence;
    return status;
}

int32_t mk_abi_version(void) { return MK_ABI_VERSION; }

const char *mk_last_error(void) { return last_error; }

int32_t mk_get_info(struct mk_info *info) {
    memset(info, 0, sizeof *info);
    info->devices = 1;
    strcpy(info->backend, "c");
    strcpy(info->clock, "CLOCK_MONOTONIC");
    return MK_OK;
}

/* Nanoseconds of CLOCK_MONOTONIC, or -1. */
static int64_t now(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return -1;
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* --- a launch ------------------------------------------------------------------------------- */

struct launch {
    void (*prepare)(void *job); /* before the parts, in the measured time; NULL for nothing */
    void (*part)(void *job, int64_t begin, int64_t end, int32_t number);
    int32_t (*finish)(void *job, int32_t parts); /* after them, likewise */
    void *job;
    int64_t units;
    void *outputs[MAX_OUTPUTS];
    size_t output_bytes[MAX_OUTPUTS];
};

/* Threads that live as long as one call. `ticket` is the launch they are to work on, -1 the end;
 * they spin, because to be woken takes longer than a small launch. */
struct crew {
    const struct launch *launch;
    int32_t threads;
    atomic_int ticket;
    atomic_int done;
};

struct worker {
    struct crew *crew;
    pthread_t thread;
    int32_t number;
};

static void wait_a_little(int *spins) {
    if (++*spins % SPINS == 0) sched_yield();
}

static void do_part(const struct crew *crew, int32_t number) {
    const struct launch *launch = crew->launch;
    int64_t share = launch->units / crew->threads, more = launch->units % crew->threads;
    int64_t begin = number * share + (number < more ? number : more);
    launch->part(launch->job, begin, begin + share + (number < more), number);
}

static void *work(void *argument) {
    struct worker *self = argument;
    int seen = 0, spins = 0;
    for (;;) {
        int ticket = atomic_load_explicit(&self->crew->ticket, memory_order_acquire);
        if (ticket < 0) return NULL;
        if (ticket == seen) {
            wait_a_little(&spins);
            continue;
        }
        seen = ticket;
        do_part(self->crew, self->number);
        atomic_fetch_add_explicit(&self->crew->done, 1, memory_order_release);
    }
}

static int32_t launch_once(struct crew *crew) {
    const struct launch *launch = crew->launch;
    if (launch->prepare) launch->prepare(launch->job);
    atomic_store_explicit(&crew->done, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&crew->ticket, 1, memory_order_release);
    do_part(crew, 0);
    int spins = 0;
    while (atomic_load_explicit(&crew->done, memory_order_acquire) < crew->threads - 1)
        wait_a_little(&spins);
    return launch->finish ? launch->finish(launch->job, crew->threads) : MK_OK;
}

static int32_t launch_all(const struct mk_how *how, struct crew *crew) {
    for (int32_t i = -how->warmup; i < how->launches; i++) {
        for (int k = 0; k < MAX_OUTPUTS; k++)
            if (crew->launch->output_bytes[k])
                memset(crew->launch->outputs[k], MK_POISON, crew->launch->output_bytes[k]);
        int64_t begin = now();
        int32_t status = launch_once(crew);
        int64_t end = now();
        if (status != MK_OK) return status;
        if (i >= 0) how->ns[i] = end - begin;
    }
    return MK_OK;
}

static int32_t check_how(const struct mk_how *how) {
    if (how->variant != MK_PLAIN && how->variant != MK_TUNED)
        return fail(MK_BAD_ARGUMENT, "unknown variant; it is 0 (plain) or 1 (tuned)");
    if (how->threads < 1 || how->threads > MK_MAX_THREADS)
        return fail(MK_BAD_ARGUMENT, "threads outside 1 to 1024");
    if (how->warmup < 0 || how->launches < 1)
        return fail(MK_BAD_ARGUMENT, "warm-up launches are 0 or more, launches 1 or more");
    return now() < 0 ? fail(MK_NO_CLOCK, "CLOCK_MONOTONIC cannot be read") : MK_OK;
}

static int32_t check_shape(int64_t rows, int64_t columns) {
    if (rows < 0 || rows > MK_MAX_ROWS) return fail(MK_BAD_ARGUMENT, "rows outside 0 to 2^31 - 1");
    if (columns < 0 || columns > MK_MAX_COLUMNS)
        return fail(MK_BAD_ARGUMENT, "columns outside 0 to 131071; more could overflow int32");
    return MK_OK;
}

/* Runs a checked job with its threads, which end with the call. */
static int32_t run(const struct mk_how *how, const struct launch *launch) {
    struct crew crew = {.launch = launch, .threads = how->threads};
    struct worker *workers = calloc((size_t)how->threads, sizeof *workers);
    if (!workers) return fail(MK_NO_MEMORY, "no memory for the threads");
    int32_t started = 1;
    for (; started < how->threads; started++) {
        workers[started].crew = &crew;
        workers[started].number = started;
        if (pthread_create(&workers[started].thread, NULL, work, workers + started) != 0) break;
    }
    int32_t status = started == how->threads
                         ? launch_all(how, &crew)
                         : fail(MK_NO_THREAD, "the system starts no more threads; ask for fewer");
    atomic_store(&crew.ticket, -1);
    for (int32_t i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
    free(workers);
    return status;
}

/* --- triad ---------------------------------------------------------------------------------- */

struct triad {
    int32_t variant;
    float *a;
    const float *b, *c;
    float scalar;
};

static void triad_part(void *job, int64_t begin, int64_t end, int32_t number) {
    const struct triad *t = job;
    (void)number;
    (t->variant == MK_TUNED ? triad_tuned : triad_plain)(t->a, t->b, t->c, t->scalar, begin, end);
}

int32_t mk_triad(const struct mk_how *how, float *a, const float *b, const float *c, float scalar,
                 int64_t n) {
    int32_t status = check_how(how);
    if (status != MK_OK) return status;
    if (n < 0) return fail(MK_BAD_ARGUMENT, "n is below 0");
    struct triad job = {how->variant, a, b, c, scalar};
    struct launch launch = {.part = triad_part,
                            .job = &job,
                            .units = n,
                            .outputs = {a},
                            .output_bytes = {(size_t)n * sizeof *a}};
    return run(how, &launch);
}

/* --- int8 matrix times vector --------------------------------------------------------------- */

typedef void matvec_function(const int8_t *restrict, int64_t, int64_t, int64_t,
                             const int8_t *restrict, int32_t *restrict);

struct matvec_i8 {
    matvec_function *matvec;
    const int8_t *weights, *activation;
    int64_t columns;
    int32_t *logits;
    int64_t *best;
    int64_t bests[MK_MAX_THREADS];
};

static int64_t lowest_argmax(const int32_t *logits, int64_t begin, int64_t end) {
    int64_t best = begin < end ? begin : NO_INDEX;
    for (int64_t r = begin + 1; r < end; r++)
        if (logits[r] > logits[best]) best = r;
    return best;
}

static void matvec_i8_part(void *job, int64_t begin, int64_t end, int32_t number) {
    struct matvec_i8 *m = job;
    m->matvec(m->weights, begin, end, m->columns, m->activation, m->logits);
    m->bests[number] = lowest_argmax(m->logits, begin, end);
}

static int32_t matvec_i8_finish(void *job, int32_t parts) {
    struct matvec_i8 *m = job;
    int64_t best = m->bests[0];
    for (int32_t p = 1; p < parts; p++)
        if (m->bests[p] >= 0 && m->logits[m->bests[p]] > m->logits[best]) best = m->bests[p];
    *m->best = best;
    return MK_OK;
}

int32_t mk_matvec_i8(const struct mk_how *how, const int8_t *weights, int64_t rows,
                     int64_t columns, const int8_t *activation, int32_t *logits, int64_t *best) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_shape(rows, columns);
    if (status != MK_OK) return status;
    struct matvec_i8 job = {.matvec = how->variant == MK_TUNED ? matvec_tuned : matvec_plain,
                            .weights = weights,
                            .activation = activation,
                            .columns = columns,
                            .logits = logits,
                            .best = best};
    struct launch launch = {.part = matvec_i8_part,
                            .finish = matvec_i8_finish,
                            .job = &job,
                            .units = rows,
                            .outputs = {logits, best},
                            .output_bytes = {(size_t)rows * sizeof *logits, sizeof *best}};
    return run(how, &launch);
}

/* --- q8_0 matrix times vector --------------------------------------------------------------- */

struct gemv {
    int32_t variant;
    const uint8_t *weights, *x;
    int64_t blocks;
    struct unpacked *unpacked;
    float *y;
};

static void gemv_prepare(void *job) {
    struct gemv *g = job;
    if (g->variant == MK_TUNED) unpack(g->x, g->blocks, g->unpacked);
}

static void gemv_part(void *job, int64_t begin, int64_t end, int32_t number) {
    struct gemv *g = job;
    (void)number;
    if (g->variant == MK_TUNED)
        gemv_tuned(g->weights, begin, end, g->blocks, g->unpacked, g->y);
    else
        gemv_plain(g->weights, begin, end, g->blocks, g->x, g->y);
}

int32_t mk_gemv_q8_0(const struct mk_how *how, const uint8_t *weights, int64_t rows,
                     int64_t columns, const uint8_t *x, float *y) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_shape(rows, columns);
    if (status != MK_OK) return status;
    if (columns % MK_BLOCK_NUMBERS)
        return fail(MK_BAD_ARGUMENT, "columns of q8_0 are a multiple of 32");
    int64_t blocks = columns / MK_BLOCK_NUMBERS;
    struct unpacked *unpacked = calloc((size_t)blocks + 1, sizeof *unpacked);
    if (!unpacked) return fail(MK_NO_MEMORY, "no memory for the blocks of x");
    struct gemv job = {how->variant, weights, x, blocks, unpacked, y};
    struct launch launch = {.prepare = gemv_prepare,
                            .part = gemv_part,
                            .job = &job,
                            .units = rows,
                            .outputs = {y},
                            .output_bytes = {(size_t)rows * sizeof *y}};
    status = run(how, &launch);
    free(unpacked);
    return status;
}

/* --- RMSNorm -------------------------------------------------------------------------------- */

struct rmsnorm {
    int32_t variant;
    const float *x, *gain;
    float epsilon;
    int64_t columns;
    float *y;
};

static void rmsnorm_part(void *job, int64_t begin, int64_t end, int32_t number) {
    const struct rmsnorm *n = job;
    (void)number;
    (n->variant == MK_TUNED ? rmsnorm_tuned : rmsnorm_plain)(n->x, n->gain, n->epsilon, begin, end,
                                                             n->columns, n->y);
}

int32_t mk_rmsnorm(const struct mk_how *how, const float *x, const float *gain, float epsilon,
                   int64_t rows, int64_t columns, float *y) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_shape(rows, columns);
    if (status != MK_OK) return status;
    if (!(epsilon > 0.0f)) return fail(MK_BAD_ARGUMENT, "epsilon is not above 0");
    struct rmsnorm job = {how->variant, x, gain, epsilon, columns, y};
    struct launch launch = {.part = rmsnorm_part,
                            .job = &job,
                            .units = rows,
                            .outputs = {y},
                            .output_bytes = {(size_t)(rows * columns) * sizeof *y}};
    return run(how, &launch);
}

/* --- float matrix times vector -------------------------------------------------------------- */

struct matvec_f32 {
    int32_t variant;
    const float *weights, *x;
    int64_t columns;
    float *y;
};

static void matvec_f32_part(void *job, int64_t begin, int64_t end, int32_t number) {
    const struct matvec_f32 *m = job;
    (void)number;
    (m->variant == MK_TUNED ? matvec_f32_tuned : matvec_f32_plain)(m->weights, begin, end,
                                                                   m->columns, m->x, m->y);
}

int32_t mk_matvec_f32(const struct mk_how *how, const float *weights, int64_t rows,
                      int64_t columns, const float *x, float *y) {
    int32_t status = check_how(how);
    if (status == MK_OK) status = check_shape(rows, columns);
    if (status != MK_OK) return status;
    struct matvec_f32 job = {how->variant, weights, x, columns, y};
    struct launch launch = {.part = matvec_f32_part,
                            .job = &job,
                            .units = rows,
                            .outputs = {y},
                            .output_bytes = {(size_t)rows * sizeof *y}};
    return run(how, &launch);
}

/* --- argmax --------------------------------------------------------------------------------- */

struct argmax {
    int32_t variant;
    const float *logits;
    int64_t *best;
    int64_t bests[MK_MAX_THREADS];
};

static void argmax_part(void *job, int64_t begin, int64_t end, int32_t number) {
    struct argmax *a = job;
    a->bests[number] =
        (a->variant == MK_TUNED ? argmax_tuned : argmax_plain)(a->logits, begin, end);
}

static int32_t argmax_finish(void *job, int32_t parts) {
    struct argmax *a = job;
    int64_t best = a->bests[0];
    for (int32_t p = 0; p < parts; p++) {
        if (a->bests[p] == NAN_FOUND)
            return fail(MK_NOT_A_NUMBER, "a logit is NaN; NaN is neither large nor small");
        if (a->bests[p] >= 0 && a->logits[a->bests[p]] > a->logits[best]) best = a->bests[p];
    }
    *a->best = best;
    return MK_OK;
}

int32_t mk_argmax_f32(const struct mk_how *how, const float *logits, int64_t n, int64_t *best) {
    int32_t status = check_how(how);
    if (status != MK_OK) return status;
    if (n < 0) return fail(MK_BAD_ARGUMENT, "n is below 0");
    struct argmax job = {.variant = how->variant, .logits = logits, .best = best};
    struct launch launch = {.part = argmax_part,
                            .finish = argmax_finish,
                            .job = &job,
                            .units = n,
                            .outputs = {best},
                            .output_bytes = {sizeof *best}};
    return run(how, &launch);
}

/* --- the decoder ---------------------------------------------------------------------------- */

static void absorb(uint8_t *restrict state, const int8_t *restrict embedding, int64_t width) {
    uint8_t first = state[0];
    for (int64_t i = 0; i + 1 < width; i++)
        state[i] = (uint8_t)(5u * state[i + 1] + (uint8_t)embedding[i]);
    state[width - 1] = (uint8_t)(5u * first + (uint8_t)embedding[width - 1]);
}

static int32_t check_decode(int64_t vocab, int64_t width, const int32_t *prompt, int64_t prompts,
                            int64_t outputs) {
    if (vocab < 1 || vocab > MK_MAX_ROWS)
        return fail(MK_BAD_ARGUMENT, "vocab outside 1 to 2^31 - 1");
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
    if (variant != MK_PLAIN && variant != MK_TUNED)
        return fail(MK_BAD_ARGUMENT, "unknown variant; it is 0 (plain) or 1 (tuned)");
    int32_t status = check_decode(vocab, width, prompt, prompts, outputs);
    if (status != MK_OK) return status;
    matvec_function *matvec = variant == MK_TUNED ? matvec_tuned : matvec_plain;
    uint8_t *state = calloc((size_t)width, 1);
    if (!state) return fail(MK_NO_MEMORY, "no memory for the state");

    int64_t begin = now();
    for (int64_t i = 0; i < prompts; i++) absorb(state, embeddings + prompt[i] * width, width);
    *prefill_ns = now() - begin;

    for (int64_t i = 0; i < outputs; i++) {
        begin = now();
        matvec(weights, 0, vocab, width, (const int8_t *)state, logits);
        tokens[i] = (int32_t)lowest_argmax(logits, 0, vocab);
        absorb(state, embeddings + tokens[i] * width, width);
        token_ns[i] = now() - begin;
    }
    free(state);
    return MK_OK;
}
