/* metal.metal - the measuring kernels on an Apple GPU. UNTESTED: nobody has run it on a Mac yet.
 *
 * The contract is in mk.h. Each kernel takes the arrays of its mk.h function in their order, then
 * the sizes. Compiled at run time by the shim, metal.m, without fast math.
 */
#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)

#define WARP 32
#define BLOCK_NUMBERS 32
#define BLOCK_BYTES 34
#define NO_INDEX (-1)
#define NAN_FOUND (-2)

/* The same as in metal.m. */
struct sizes {
    long n;
    long rows;
    long columns;
    float scalar;
    int parts;
};

/* --- triad ---------------------------------------------------------------------------------- */

kernel void triad_plain(device float *a [[buffer(0)]], device const float *b [[buffer(1)]],
                        device const float *c [[buffer(2)]], constant sizes &s [[buffer(3)]],
                        uint i [[thread_position_in_grid]]) {
    if ((long)i < s.n) a[i] = b[i] + s.scalar * c[i];
}

kernel void triad_tuned(device float *a [[buffer(0)]], device const float *b [[buffer(1)]],
                        device const float *c [[buffer(2)]], constant sizes &s [[buffer(3)]],
                        uint i [[thread_position_in_grid]]) {
    long first = (long)i * 4;
    for (long k = first; k < first + 4 && k < s.n; k++) a[k] = b[k] + s.scalar * c[k];
}

/* --- int8 matrix times vector --------------------------------------------------------------- */

kernel void matvec_i8_plain(device const char *weights [[buffer(0)]],
                            device const char *activation [[buffer(1)]],
                            device int *logits [[buffer(2)]], constant sizes &s [[buffer(3)]],
                            uint r [[thread_position_in_grid]]) {
    if ((long)r >= s.rows) return;
    int sum = 0;
    for (long c = 0; c < s.columns; c++)
        sum += (int)weights[(long)r * s.columns + c] * (int)activation[c];
    logits[r] = sum;
}

/* A row to each group of 32 threads. */
kernel void matvec_i8_tuned(device const char *weights [[buffer(0)]],
                            device const char *activation [[buffer(1)]],
                            device int *logits [[buffer(2)]], constant sizes &s [[buffer(3)]],
                            uint i [[thread_position_in_grid]],
                            uint lane [[thread_index_in_simdgroup]]) {
    long r = i / WARP;
    int sum = 0;
    if (r < s.rows)
        for (long c = lane; c < s.columns; c += WARP)
            sum += (int)weights[r * s.columns + c] * (int)activation[c];
    sum = simd_sum(sum);
    if (lane == 0 && r < s.rows) logits[r] = sum;
}

/* --- q8_0 matrix times vector --------------------------------------------------------------- */

static float half_at(device const uchar *place) {
    return (float)as_type<half>((ushort)((ushort)place[0] | (ushort)place[1] << 8));
}

static float block_at(device const uchar *w, device const uchar *x) {
    int dot = 0;
    for (int j = 2; j < BLOCK_BYTES; j++) dot += (int)(char)w[j] * (int)(char)x[j];
    return half_at(w) * half_at(x) * (float)dot;
}

kernel void gemv_q8_0_plain(device const uchar *weights [[buffer(0)]],
                            device const uchar *x [[buffer(1)]], device float *y [[buffer(2)]],
                            constant sizes &s [[buffer(3)]],
                            uint r [[thread_position_in_grid]]) {
    if ((long)r >= s.rows) return;
    long blocks = s.columns / BLOCK_NUMBERS;
    float sum = 0.0f;
    for (long k = 0; k < blocks; k++)
        sum += block_at(weights + ((long)r * blocks + k) * BLOCK_BYTES, x + k * BLOCK_BYTES);
    y[r] = sum;
}

kernel void gemv_q8_0_tuned(device const uchar *weights [[buffer(0)]],
                            device const uchar *x [[buffer(1)]], device float *y [[buffer(2)]],
                            constant sizes &s [[buffer(3)]],
                            uint i [[thread_position_in_grid]],
                            uint lane [[thread_index_in_simdgroup]]) {
    long r = i / WARP, blocks = s.columns / BLOCK_NUMBERS;
    float sum = 0.0f;
    if (r < s.rows)
        for (long k = lane; k < blocks; k += WARP)
            sum += block_at(weights + (r * blocks + k) * BLOCK_BYTES, x + k * BLOCK_BYTES);
    sum = simd_sum(sum);
    if (lane == 0 && r < s.rows) y[r] = sum;
}

/* --- float sums ----------------------------------------------------------------------------- */

kernel void rmsnorm_plain(device const float *x [[buffer(0)]], device const float *gain [[buffer(1)]],
                          device float *y [[buffer(2)]], constant sizes &s [[buffer(3)]],
                          uint r [[thread_position_in_grid]]) {
    if ((long)r >= s.rows) return;
    device const float *row = x + (long)r * s.columns;
    float squares = 0.0f;
    for (long c = 0; c < s.columns; c++) squares += row[c] * row[c];
    float scale = 1.0f / sqrt(squares / (float)s.columns + s.scalar);
    for (long c = 0; c < s.columns; c++) y[(long)r * s.columns + c] = row[c] * scale * gain[c];
}

kernel void rmsnorm_tuned(device const float *x [[buffer(0)]], device const float *gain [[buffer(1)]],
                          device float *y [[buffer(2)]], constant sizes &s [[buffer(3)]],
                          uint i [[thread_position_in_grid]],
                          uint lane [[thread_index_in_simdgroup]]) {
    long r = i / WARP;
    if (r >= s.rows) return;
    device const float *row = x + r * s.columns;
    float squares = 0.0f;
    for (long c = lane; c < s.columns; c += WARP) squares += row[c] * row[c];
    squares = simd_sum(squares);
    float scale = 1.0f / sqrt(squares / (float)s.columns + s.scalar);
    for (long c = lane; c < s.columns; c += WARP) y[r * s.columns + c] = row[c] * scale * gain[c];
}

kernel void matvec_f32_plain(device const float *weights [[buffer(0)]],
                             device const float *x [[buffer(1)]], device float *y [[buffer(2)]],
                             constant sizes &s [[buffer(3)]],
                             uint r [[thread_position_in_grid]]) {
    if ((long)r >= s.rows) return;
    float sum = 0.0f;
    for (long c = 0; c < s.columns; c++) sum += weights[(long)r * s.columns + c] * x[c];
    y[r] = sum;
}

kernel void matvec_f32_tuned(device const float *weights [[buffer(0)]],
                             device const float *x [[buffer(1)]], device float *y [[buffer(2)]],
                             constant sizes &s [[buffer(3)]],
                             uint i [[thread_position_in_grid]],
                             uint lane [[thread_index_in_simdgroup]]) {
    long r = i / WARP;
    float sum = 0.0f;
    if (r < s.rows)
        for (long c = lane; c < s.columns; c += WARP) sum += weights[r * s.columns + c] * x[c];
    sum = simd_sum(sum);
    if (lane == 0 && r < s.rows) y[r] = sum;
}

/* --- argmax: each of `parts` threads takes a stretch, one thread the best of theirs ------------ */

static bool is_nan(float value) { return (as_type<uint>(value) & 0x7FFFFFFFu) > 0x7F800000u; }

kernel void argmax_f32_part(device const float *logits [[buffer(0)]],
                            device long *bests [[buffer(1)]], constant sizes &s [[buffer(2)]],
                            uint part [[thread_position_in_grid]]) {
    if ((int)part >= s.parts) return;
    long share = (s.n + s.parts - 1) / s.parts, begin = (long)part * share;
    long best = NO_INDEX;
    for (long i = begin; i < begin + share && i < s.n; i++) {
        if (is_nan(logits[i])) best = NAN_FOUND;
        if (best == NAN_FOUND) break;
        if (best == NO_INDEX || logits[i] > logits[best]) best = i;
    }
    bests[part] = best;
}

kernel void argmax_f32_finish(device const float *logits [[buffer(0)]],
                              device const long *bests [[buffer(1)]],
                              device long *best [[buffer(2)]], constant sizes &s [[buffer(3)]],
                              uint i [[thread_position_in_grid]]) {
    if (i != 0) return;
    long found = NO_INDEX;
    for (int p = 0; p < s.parts; p++) {
        if (bests[p] == NAN_FOUND) found = NAN_FOUND;
        if (found == NAN_FOUND) break;
        if (bests[p] >= 0 && (found == NO_INDEX || logits[bests[p]] > logits[found]))
            found = bests[p];
    }
    *best = found;
}

kernel void argmax_i32_part(device const int *logits [[buffer(0)]],
                            device long *bests [[buffer(1)]], constant sizes &s [[buffer(2)]],
                            uint part [[thread_position_in_grid]]) {
    if ((int)part >= s.parts) return;
    long share = (s.rows + s.parts - 1) / s.parts, begin = (long)part * share;
    long best = NO_INDEX;
    for (long i = begin; i < begin + share && i < s.rows; i++)
        if (best == NO_INDEX || logits[i] > logits[best]) best = i;
    bests[part] = best;
}

kernel void argmax_i32_finish(device const int *logits [[buffer(0)]],
                              device const long *bests [[buffer(1)]],
                              device long *best [[buffer(2)]], constant sizes &s [[buffer(3)]],
                              uint i [[thread_position_in_grid]]) {
    if (i != 0) return;
    long found = NO_INDEX;
    for (int p = 0; p < s.parts; p++)
        if (bests[p] >= 0 && (found == NO_INDEX || logits[bests[p]] > logits[found]))
            found = bests[p];
    *best = found;
}

/* --- the decoder ---------------------------------------------------------------------------- */

kernel void absorb(device const uchar *state [[buffer(0)]],
                   device const char *embeddings [[buffer(1)]],
                   device const long *token [[buffer(2)]], device uchar *next [[buffer(3)]],
                   constant sizes &s [[buffer(4)]], uint i [[thread_position_in_grid]]) {
    if ((long)i >= s.columns) return;
    uchar embedding = (uchar)embeddings[*token * s.columns + i];
    next[i] = (uchar)(5u * state[(long)i + 1 < s.columns ? i + 1 : 0] + embedding);
}
