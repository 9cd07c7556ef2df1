/* cpu_kernels.h - the inner loops for any CPU: each kernel plain and tuned, over a part of its work.
 *
 * A part is the rows or elements from `begin` up to `end`; a row is never divided, so the number of
 * threads changes no bit of any result. `plain` is the loop as one first writes it.
 */
#ifndef MK_CPU_KERNELS_H
#define MK_CPU_KERNELS_H

#include "mk.h"

#include <math.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* The plain int8 loop must stay scalar whatever -O3 would make of it. */
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

/* Lanes of a tuned float sum: added lane by lane at the end, in this order on every machine. */
#define LANES 32

/* Weights are asked for this long before they are used: about two rows of the usual width. */
#define AHEAD_BYTES 16384

#if defined(__GNUC__)
#define PREFETCH(place) __builtin_prefetch((const void *)((uintptr_t)(place) + AHEAD_BYTES))
#else
#define PREFETCH(place) (void)(place)
#endif

/* --- triad ---------------------------------------------------------------------------------- */

static void triad_plain(float *restrict a, const float *restrict b, const float *restrict c,
                        float scalar, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) a[i] = b[i] + scalar * c[i];
}

/* Stores that go past the cache: a plain store first reads the line that it overwrites. */
static void triad_tuned(float *restrict a, const float *restrict b, const float *restrict c,
                        float scalar, int64_t begin, int64_t end) {
    int64_t i = begin;
#if defined(__SSE2__)
    for (; i < end && ((uintptr_t)(a + i) & 15); i++) a[i] = b[i] + scalar * c[i];
    __m128 s = _mm_set1_ps(scalar);
    for (; i + 4 <= end; i += 4)
        _mm_stream_ps(a + i, _mm_add_ps(_mm_loadu_ps(b + i), _mm_mul_ps(s, _mm_loadu_ps(c + i))));
    _mm_sfence();
#endif
    for (; i < end; i++) a[i] = b[i] + scalar * c[i];
}

/* --- int8 matrix times vector --------------------------------------------------------------- */

KEEP_SCALAR
static void matvec_plain(const int8_t *restrict weights, int64_t begin, int64_t end,
                         int64_t columns, const int8_t *restrict activation,
                         int32_t *restrict logits) {
    for (int64_t r = begin; r < end; r++) {
        int32_t sum = 0;
        SCALAR_LOOP
        for (int64_t c = 0; c < columns; c++) sum += weights[r * columns + c] * activation[c];
        logits[r] = sum;
    }
}

/* Four rows share each load of the activation, and their four sums do not wait for one another. */
static void matvec_tuned(const int8_t *restrict weights, int64_t begin, int64_t end,
                         int64_t columns, const int8_t *restrict activation,
                         int32_t *restrict logits) {
    int64_t r = begin;
    for (; r + 4 <= end; r += 4) {
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
    for (; r < end; r++) {
        const int8_t *restrict w = weights + r * columns;
        int32_t sum = 0;
        for (int64_t c = 0; c < columns; c++) sum += (int16_t)w[c] * (int16_t)activation[c];
        logits[r] = sum;
    }
}

/* --- q8_0 matrix times vector --------------------------------------------------------------- */

static float half_at(const uint8_t *place) {
    uint32_t h = (uint32_t)place[0] | (uint32_t)place[1] << 8;
    uint32_t sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 1023u;
    if (exponent == 0) return (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
    uint32_t bits = sign | (exponent == 31 ? 255u : exponent + 112u) << 23 | fraction << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Both are read as int8_t. Read as uint8_t and then converted, gcc 12 with AVX-VNNI multiplies the
 * unsigned bytes (usdot for sdot): held against float64, the plain kernel was wrong. */
static int32_t block_dot(const uint8_t *block, const int8_t *x) {
    const int8_t *w = (const int8_t *)block + 2;
    int32_t sum = 0;
    for (int j = 0; j < MK_BLOCK_NUMBERS; j++) sum += (int16_t)w[j] * (int16_t)x[j];
    return sum;
}

static float gemv_row(const uint8_t *row, int64_t blocks, const uint8_t *x) {
    float sum = 0.0f;
    for (int64_t k = 0; k < blocks; k++, row += MK_BLOCK_BYTES, x += MK_BLOCK_BYTES)
        sum += half_at(row) * half_at(x) * (float)block_dot(row, (const int8_t *)x + 2);
    return sum;
}

static void gemv_plain(const uint8_t *restrict weights, int64_t begin, int64_t end, int64_t blocks,
                       const uint8_t *restrict x, float *restrict y) {
    for (int64_t r = begin; r < end; r++)
        y[r] = gemv_row(weights + r * blocks * MK_BLOCK_BYTES, blocks, x);
}

#if defined(__AVX2__) && defined(__F16C__) && defined(__FMA__)

/* Blocks of x as the inner loop wants them. The scales of a group are converted together. */
#define GROUP 8
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
#define DOT_BYTES _mm256_dpbusd_epi32
#elif defined(__AVXVNNI__)
#define DOT_BYTES _mm256_dpbusd_avx_epi32
#endif

struct unpacked {
    float scale;
    int32_t offset[8]; /* -128 times the sum of each four of x */
    int8_t x[MK_BLOCK_NUMBERS];
};

static void unpack(const uint8_t *x, int64_t blocks, struct unpacked *to) {
    for (int64_t k = 0; k < blocks; k++, x += MK_BLOCK_BYTES) {
        to[k].scale = half_at(x);
        memcpy(to[k].x, x + 2, MK_BLOCK_NUMBERS);
        for (int j = 0; j < 8; j++)
            to[k].offset[j] = -128 * (to[k].x[4 * j] + to[k].x[4 * j + 1] + to[k].x[4 * j + 2] +
                                      to[k].x[4 * j + 3]);
    }
}

/* Eight partial sums of a block's products, exact whatever the bytes are. */
static inline __m256i block_sums(const uint8_t *w, const struct unpacked *x) {
    __m256i given = _mm256_loadu_si256((const __m256i *)x->x);
    __m256i weights = _mm256_loadu_si256((const __m256i *)(w + 2));
#if defined(DOT_BYTES)
    /* One factor must be unsigned: (w + 128) * x, less 128 * x. */
    __m256i offset = _mm256_loadu_si256((const __m256i *)x->offset);
    return DOT_BYTES(offset, _mm256_xor_si256(weights, _mm256_set1_epi8((char)0x80)), given);
#else
    __m256i low = _mm256_madd_epi16(_mm256_cvtepi8_epi16(_mm256_castsi256_si128(weights)),
                                    _mm256_cvtepi8_epi16(_mm256_castsi256_si128(given)));
    __m256i high = _mm256_madd_epi16(_mm256_cvtepi8_epi16(_mm256_extracti128_si256(weights, 1)),
                                     _mm256_cvtepi8_epi16(_mm256_extracti128_si256(given, 1)));
    return _mm256_add_epi32(low, high);
#endif
}

static void group_scales(const uint8_t *w, const struct unpacked *x, float *to) {
    uint16_t halves[GROUP];
    float given[GROUP];
    for (int j = 0; j < GROUP; j++) {
        memcpy(halves + j, w + j * MK_BLOCK_BYTES, 2);
        given[j] = x[j].scale;
    }
    __m256 scales = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)halves));
    _mm256_storeu_ps(to, _mm256_mul_ps(scales, _mm256_loadu_ps(given)));
}

static inline __m256 add_block(__m256 sum, const uint8_t *w, const struct unpacked *x,
                               const float *scale) {
    PREFETCH(w);
    return _mm256_fmadd_ps(_mm256_set1_ps(*scale), _mm256_cvtepi32_ps(block_sums(w, x)), sum);
}

/* The blocks that fill no group, and the lanes, in their order. */
static float finish_row(__m256 sum, const uint8_t *w, const struct unpacked *x, int64_t blocks) {
    float lanes[8], total = 0.0f;
    _mm256_storeu_ps(lanes, sum);
    for (int j = 0; j < 8; j++) total += lanes[j];
    for (int64_t k = blocks / GROUP * GROUP; k < blocks; k++) {
        const uint8_t *block = w + k * MK_BLOCK_BYTES;
        total += half_at(block) * x[k].scale * (float)block_dot(block, x[k].x);
    }
    return total;
}

/* Two rows at a time share each load of x. A last row alone is paired with itself. */
static void gemv_tuned(const uint8_t *restrict weights, int64_t begin, int64_t end, int64_t blocks,
                       const struct unpacked *restrict x, float *restrict y) {
    int64_t bytes = blocks * MK_BLOCK_BYTES;
    for (int64_t r = begin; r < end; r += 2) {
        int64_t other = r + 1 < end ? r + 1 : r;
        const uint8_t *w0 = weights + r * bytes, *w1 = weights + other * bytes;
        __m256 s0 = _mm256_setzero_ps(), s1 = _mm256_setzero_ps();
        for (int64_t k = 0; k + GROUP <= blocks; k += GROUP) {
            float scales0[GROUP], scales1[GROUP];
            group_scales(w0 + k * MK_BLOCK_BYTES, x + k, scales0);
            group_scales(w1 + k * MK_BLOCK_BYTES, x + k, scales1);
            for (int j = 0; j < GROUP; j++) {
                s0 = add_block(s0, w0 + (k + j) * MK_BLOCK_BYTES, x + k + j, scales0 + j);
                s1 = add_block(s1, w1 + (k + j) * MK_BLOCK_BYTES, x + k + j, scales1 + j);
            }
        }
        y[r] = finish_row(s0, w0, x, blocks);
        y[other] = finish_row(s1, w1, x, blocks);
    }
}

#else

struct unpacked {
    float scale;
    int8_t x[MK_BLOCK_NUMBERS];
};

static void unpack(const uint8_t *x, int64_t blocks, struct unpacked *to) {
    for (int64_t k = 0; k < blocks; k++, x += MK_BLOCK_BYTES) {
        to[k].scale = half_at(x);
        memcpy(to[k].x, x + 2, MK_BLOCK_NUMBERS);
    }
}

/* Four sums that do not wait for one another. */
static void gemv_tuned(const uint8_t *restrict weights, int64_t begin, int64_t end, int64_t blocks,
                       const struct unpacked *restrict x, float *restrict y) {
    for (int64_t r = begin; r < end; r++) {
        const uint8_t *w = weights + r * blocks * MK_BLOCK_BYTES;
        float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int64_t k = 0; k < blocks; k++, w += MK_BLOCK_BYTES) {
            PREFETCH(w);
            sums[k & 3] += half_at(w) * x[k].scale * (float)block_dot(w, x[k].x);
        }
        y[r] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
}

#endif

/* --- float sums ----------------------------------------------------------------------------- */

static float dot_plain(const float *restrict a, const float *restrict b, int64_t n) {
    float sum = 0.0f;
    for (int64_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static float dot_tuned(const float *restrict a, const float *restrict b, int64_t n) {
    float lanes[LANES] = {0.0f};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int j = 0; j < LANES; j++) lanes[j] += a[i + j] * b[i + j];
    float sum = 0.0f;
    for (int j = 0; j < LANES; j++) sum += lanes[j];
    for (; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void matvec_f32_plain(const float *restrict weights, int64_t begin, int64_t end,
                             int64_t columns, const float *restrict x, float *restrict y) {
    for (int64_t r = begin; r < end; r++) y[r] = dot_plain(weights + r * columns, x, columns);
}

static void matvec_f32_tuned(const float *restrict weights, int64_t begin, int64_t end,
                             int64_t columns, const float *restrict x, float *restrict y) {
    for (int64_t r = begin; r < end; r++) y[r] = dot_tuned(weights + r * columns, x, columns);
}

static void normalise_row(const float *restrict x, const float *restrict gain, float squares,
                          float epsilon, int64_t columns, float *restrict y) {
    float scale = 1.0f / sqrtf(squares / (float)columns + epsilon);
    for (int64_t c = 0; c < columns; c++) y[c] = x[c] * scale * gain[c];
}

static void rmsnorm_plain(const float *restrict x, const float *restrict gain, float epsilon,
                          int64_t begin, int64_t end, int64_t columns, float *restrict y) {
    for (int64_t r = begin; r < end; r++) {
        const float *row = x + r * columns;
        float squares = dot_plain(row, row, columns);
        normalise_row(row, gain, squares, epsilon, columns, y + r * columns);
    }
}

static void rmsnorm_tuned(const float *restrict x, const float *restrict gain, float epsilon,
                          int64_t begin, int64_t end, int64_t columns, float *restrict y) {
    for (int64_t r = begin; r < end; r++) {
        const float *row = x + r * columns;
        float squares = dot_tuned(row, row, columns);
        normalise_row(row, gain, squares, epsilon, columns, y + r * columns);
    }
}

/* --- argmax --------------------------------------------------------------------------------- */

#define NO_INDEX (-1)
#define NAN_FOUND (-2)
#define ARGMAX_PIECE 1024

static int64_t argmax_plain(const float *restrict logits, int64_t begin, int64_t end) {
    int64_t best = NO_INDEX;
    for (int64_t i = begin; i < end; i++) {
        if (isnan(logits[i])) return NAN_FOUND;
        if (best < 0 || logits[i] > logits[best]) best = i;
    }
    return best;
}

/* Bits of a float as an integer that is ordered as floats are; both zeros are 0. */
static inline int32_t ordered(float value) {
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? -(bits & 0x7FFFFFFF) : bits;
}

/* The largest of a piece without a branch, then its place, only where a piece has a larger one. */
static int64_t argmax_tuned(const float *restrict logits, int64_t begin, int64_t end) {
    int64_t best = NO_INDEX;
    int32_t most = INT32_MIN;
    for (int64_t start = begin; start < end; start += ARGMAX_PIECE) {
        int64_t stop = start + ARGMAX_PIECE < end ? start + ARGMAX_PIECE : end;
        int32_t largest = INT32_MIN, smallest = INT32_MAX;
        for (int64_t i = start; i < stop; i++) {
            int32_t key = ordered(logits[i]);
            largest = key > largest ? key : largest;
            smallest = key < smallest ? key : smallest;
        }
        /* Beyond the infinities lie the NaNs, at either end. */
        if (largest > 0x7F800000 || smallest < -0x7F800000) return NAN_FOUND;
        if (largest <= most) continue;
        most = largest;
        for (best = start; ordered(logits[best]) != largest;) best++;
    }
    return best;
}

#endif
