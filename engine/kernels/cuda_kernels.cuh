/* cuda_kernels.cuh - the measuring kernels as device code, without any include, so that nvcc and
 * NVRTC compile the same bytes. Blocks have 256 threads, which `tuned` kernels rely on.
 *
 * `plain` gives a thread a row or an element; `tuned` gives a row to a warp or a block and reads
 * 16 bytes at once where they are aligned. What is exact is exact in any order of the threads.
 */
typedef signed char i8;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;

#define THREADS 256
#define WARP 32
#define ALL_LANES 0xFFFFFFFFu
#define BLOCK_NUMBERS 32
#define BLOCK_BYTES 34

static __device__ i64 thread_index() { return (i64)blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ i64 thread_count() { return (i64)gridDim.x * blockDim.x; }

/* --- triad ---------------------------------------------------------------------------------- */

extern "C" __global__ void triad_plain(float *a, const float *b, const float *c, float scalar,
                                       i64 n) {
    i64 i = thread_index();
    if (i < n) a[i] = __fadd_rn(b[i], __fmul_rn(scalar, c[i]));
}

static __device__ float triad_of(float b, float scalar, float c) {
    return __fadd_rn(b, __fmul_rn(scalar, c));
}

extern "C" __global__ void triad_tuned(float *a, const float *b, const float *c, float scalar,
                                       i64 n) {
    for (i64 i = thread_index(); i < n / 4; i += thread_count()) {
        float4 x = ((const float4 *)b)[i], y = ((const float4 *)c)[i], z;
        z.x = triad_of(x.x, scalar, y.x);
        z.y = triad_of(x.y, scalar, y.y);
        z.z = triad_of(x.z, scalar, y.z);
        z.w = triad_of(x.w, scalar, y.w);
        ((float4 *)a)[i] = z;
    }
    i64 last = n / 4 * 4 + thread_index();
    if (last < n) a[last] = triad_of(b[last], scalar, c[last]);
}

/* --- argmax: a key orders by value, then by the lower index ---------------------------------- */

static __device__ u64 key_of(u32 ordered, i64 index) {
    return (u64)ordered << 32 | (u32)(0xFFFFFFFFu - (u32)index);
}

/* The largest key of the block, in every thread of its first warp. */
static __device__ u64 block_max(u64 key) {
    __shared__ u64 kept[THREADS / WARP];
    for (int step = WARP / 2; step; step /= 2) {
        u64 other = __shfl_xor_sync(ALL_LANES, key, step);
        key = other > key ? other : key;
    }
    if (threadIdx.x % WARP == 0) kept[threadIdx.x / WARP] = key;
    __syncthreads();
    key = threadIdx.x < THREADS / WARP ? kept[threadIdx.x] : 0;
    for (int step = WARP / 2; step; step /= 2) {
        u64 other = __shfl_xor_sync(ALL_LANES, key, step);
        key = other > key ? other : key;
    }
    return key;
}

static __device__ void keep_max(u64 key, u64 *best) {
    key = block_max(key);
    if (threadIdx.x == 0 && key) atomicMax(best, key);
}

extern "C" __global__ void argmax_i32(const int *logits, i64 n, u64 *best) {
    u64 most = 0;
    for (i64 i = thread_index(); i < n; i += thread_count()) {
        u64 key = key_of((u32)logits[i] ^ 0x80000000u, i);
        most = key > most ? key : most;
    }
    keep_max(most, best);
}

/* Bits of a float in the order of floats, both zeros alike; NaN is told apart. */
static __device__ u32 ordered(float value, int *nan) {
    u32 bits = __float_as_uint(value);
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) *nan = 1;
    if (bits == 0x80000000u) bits = 0;
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

extern "C" __global__ void argmax_f32_plain(const float *logits, i64 n, u64 *best, int *nan) {
    i64 i = thread_index();
    if (i < n) atomicMax(best, key_of(ordered(logits[i], nan), i));
}

extern "C" __global__ void argmax_f32_tuned(const float *logits, i64 n, u64 *best, int *nan) {
    u64 most = 0;
    for (i64 i = thread_index(); i < n; i += thread_count()) {
        u64 key = key_of(ordered(logits[i], nan), i);
        most = key > most ? key : most;
    }
    keep_max(most, best);
}

extern "C" __global__ void store_best(const u64 *key, i64 *best) {
    if (thread_index() == 0) *best = *key ? (i64)(0xFFFFFFFFu - (u32)*key) : -1;
}

/* --- int8 matrix times vector --------------------------------------------------------------- */

extern "C" __global__ void matvec_i8_plain(const i8 *weights, i64 rows, i64 columns,
                                           const i8 *activation, int *logits) {
    i64 r = thread_index();
    if (r >= rows) return;
    int sum = 0;
    for (i64 c = 0; c < columns; c++) sum += weights[r * columns + c] * activation[c];
    logits[r] = sum;
}

static __device__ int warp_sum(int value) {
    for (int step = WARP / 2; step; step /= 2) value += __shfl_xor_sync(ALL_LANES, value, step);
    return value;
}

extern "C" __global__ void matvec_i8_tuned(const i8 *weights, i64 rows, i64 columns,
                                           const i8 *activation, int *logits) {
    i64 r = thread_index() / WARP;
    int lane = threadIdx.x % WARP, sum = 0;
    if (r >= rows) return;
    const i8 *row = weights + r * columns;
    if (columns % 16 == 0) {
        for (i64 c = lane; c < columns / 16; c += WARP) {
            int4 w = ((const int4 *)row)[c], x = ((const int4 *)activation)[c];
            sum = __dp4a(w.x, x.x, sum);
            sum = __dp4a(w.y, x.y, sum);
            sum = __dp4a(w.z, x.z, sum);
            sum = __dp4a(w.w, x.w, sum);
        }
    } else {
        for (i64 c = lane; c < columns; c += WARP) sum += row[c] * activation[c];
    }
    sum = warp_sum(sum);
    if (lane == 0) logits[r] = sum;
}

/* --- q8_0 matrix times vector --------------------------------------------------------------- */

static __device__ float half_at(const u8 *place) {
    u32 h = *(const u16 *)place;
    u32 sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31u, fraction = h & 1023u;
    if (exponent == 0) return (sign ? -1.0f : 1.0f) * (float)fraction * 5.9604644775390625e-8f;
    return __uint_as_float(sign | (exponent == 31 ? 255u : exponent + 112u) << 23 | fraction << 13);
}

extern "C" __global__ void gemv_q8_0_plain(const u8 *weights, i64 rows, i64 columns, const u8 *x,
                                           float *y) {
    i64 r = thread_index(), blocks = columns / BLOCK_NUMBERS;
    if (r >= rows) return;
    const u8 *w = weights + r * blocks * BLOCK_BYTES;
    float sum = 0.0f;
    for (i64 k = 0; k < blocks; k++, w += BLOCK_BYTES, x += BLOCK_BYTES) {
        int dot = 0;
        for (int j = 2; j < BLOCK_BYTES; j++) dot += (i8)w[j] * (i8)x[j];
        sum += half_at(w) * half_at(x) * (float)dot;
    }
    y[r] = sum;
}

/* Blocks are aligned to 2 bytes only. */
static __device__ int four_at(const u8 *place) {
    const u16 *two = (const u16 *)place;
    return (int)((u32)two[0] | (u32)two[1] << 16);
}

/* Eight lanes share a block, four blocks a step; the sum of a block is whole before it is scaled. */
extern "C" __global__ void gemv_q8_0_tuned(const u8 *weights, i64 rows, i64 columns, const u8 *x,
                                           float *y) {
    i64 r = thread_index() / WARP, blocks = columns / BLOCK_NUMBERS;
    int lane = threadIdx.x % WARP, place = lane % 8;
    if (r >= rows) return;
    float sum = 0.0f;
    for (i64 first = 0; first < blocks; first += 4) {
        i64 k = first + lane / 8;
        int dot = 0;
        const u8 *w = weights + (r * blocks + k) * BLOCK_BYTES, *given = x + k * BLOCK_BYTES;
        if (k < blocks) dot = __dp4a(four_at(w + 2 + 4 * place), four_at(given + 2 + 4 * place), 0);
        for (int step = 4; step; step /= 2) dot += __shfl_xor_sync(ALL_LANES, dot, step);
        if (k < blocks && place == 0)
            sum = __fmaf_rn(__fmul_rn(half_at(w), half_at(given)), (float)dot, sum);
    }
    for (int step = WARP / 2; step; step /= 2) sum += __shfl_xor_sync(ALL_LANES, sum, step);
    if (lane == 0) y[r] = sum;
}

/* --- float sums ----------------------------------------------------------------------------- */

extern "C" __global__ void matvec_f32_plain(const float *weights, i64 rows, i64 columns,
                                            const float *x, float *y) {
    i64 r = thread_index();
    if (r >= rows) return;
    float sum = 0.0f;
    for (i64 c = 0; c < columns; c++) sum += weights[r * columns + c] * x[c];
    y[r] = sum;
}

static __device__ float warp_sum_f32(float value) {
    for (int step = WARP / 2; step; step /= 2) value += __shfl_xor_sync(ALL_LANES, value, step);
    return value;
}

extern "C" __global__ void matvec_f32_tuned(const float *weights, i64 rows, i64 columns,
                                            const float *x, float *y) {
    i64 r = thread_index() / WARP;
    int lane = threadIdx.x % WARP;
    if (r >= rows) return;
    const float *row = weights + r * columns;
    float sum = 0.0f;
    for (i64 c = lane; c < columns; c += WARP) sum = __fmaf_rn(row[c], x[c], sum);
    sum = warp_sum_f32(sum);
    if (lane == 0) y[r] = sum;
}

static __device__ float scale_of(float squares, i64 columns, float epsilon) {
    return __fdiv_rn(1.0f, __fsqrt_rn(__fdiv_rn(squares, (float)columns) + epsilon));
}

extern "C" __global__ void rmsnorm_plain(const float *x, const float *gain, float epsilon, i64 rows,
                                         i64 columns, float *y) {
    i64 r = thread_index();
    if (r >= rows) return;
    const float *row = x + r * columns;
    float squares = 0.0f;
    for (i64 c = 0; c < columns; c++) squares += row[c] * row[c];
    float scale = scale_of(squares, columns, epsilon);
    for (i64 c = 0; c < columns; c++) y[r * columns + c] = row[c] * scale * gain[c];
}

/* A block a row. */
extern "C" __global__ void rmsnorm_tuned(const float *x, const float *gain, float epsilon, i64 rows,
                                         i64 columns, float *y) {
    __shared__ float kept[THREADS / WARP];
    const float *row = x + (i64)blockIdx.x * columns;
    float *to = y + (i64)blockIdx.x * columns;
    float squares = 0.0f;
    for (i64 c = threadIdx.x; c < columns; c += THREADS)
        squares = __fmaf_rn(row[c], row[c], squares);
    squares = warp_sum_f32(squares);
    if (threadIdx.x % WARP == 0) kept[threadIdx.x / WARP] = squares;
    __syncthreads();
    squares = 0.0f;
    for (int k = 0; k < THREADS / WARP; k++) squares += kept[k];
    float scale = scale_of(squares, columns, epsilon);
    for (i64 c = threadIdx.x; c < columns; c += THREADS) to[c] = row[c] * scale * gain[c];
}

/* --- the decoder ---------------------------------------------------------------------------- */

extern "C" __global__ void absorb(const u8 *state, const i8 *embeddings, i64 width,
                                  const int *token, u8 *next) {
    i64 i = thread_index();
    if (i >= width) return;
    u8 embedding = (u8)embeddings[*token * width + i];
    next[i] = (u8)(5u * state[i + 1 < width ? i + 1 : 0] + embedding);
}

extern "C" __global__ void store_token(const u64 *key, int *token) {
    if (thread_index() == 0) *token = (int)(0xFFFFFFFFu - (u32)*key);
}
