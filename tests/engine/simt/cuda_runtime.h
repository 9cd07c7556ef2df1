/* cuda_runtime.h - the few words of CUDA that cuda.cu and its kernels use, on the CPU. See simt.h. */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#include "simt.h"

#include <chrono>
#include <cstdlib>

#define __global__
#define __device__
#define __shared__ static

struct simt_dim {
    unsigned &(*at)();
    operator unsigned() const { return at(); }
};
struct simt_dim3 {
    simt_dim x;
};
static unsigned &simt_thread() { return simt::thread_in_block; }
static unsigned &simt_block() { return simt::block_in_grid; }
static unsigned &simt_threads() { return simt::threads_in_block; }
static unsigned &simt_blocks() { return simt::blocks_in_grid; }
static const simt_dim3 threadIdx{{simt_thread}}, blockIdx{{simt_block}};
static const simt_dim3 blockDim{{simt_threads}}, gridDim{{simt_blocks}};

struct float4 { float x, y, z, w; };
struct int4 { int x, y, z, w; };

static float __fadd_rn(float a, float b) { return a + b; }
static float __fmul_rn(float a, float b) { return a * b; }
static float __fdiv_rn(float a, float b) { return a / b; }
static float __fsqrt_rn(float a) { return std::sqrt(a); }
static float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
static unsigned __float_as_uint(float a) { unsigned u; std::memcpy(&u, &a, 4); return u; }
static float __uint_as_float(unsigned u) { float a; std::memcpy(&a, &u, 4); return a; }
static int __dp4a(int a, int b, int sum) {
    for (int k = 0; k < 4; k++) sum += (signed char)(a >> 8 * k) * (signed char)(b >> 8 * k);
    return sum;
}
static void __syncthreads() { simt::block_barrier(); }
template <class T> T __shfl_xor_sync(unsigned, T value, int step) {
    return simt::from_lane(value, simt::thread_in_block % simt::WARP_SIZE ^ (unsigned)step);
}
static void atomicMax(unsigned long long *place, unsigned long long value) {
    unsigned long long found = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    while (found < value && !__atomic_compare_exchange_n(place, &found, value, false,
                                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
}

/* kernel<<<blocks, threads>>>(…) is written simt_launcher(kernel, blocks, threads)(…). */
template <class Kernel> struct simt_launch {
    Kernel *kernel;
    unsigned blocks, threads;
    template <class... Arguments> void operator()(Arguments... arguments) const {
        simt::run(blocks, threads, [&] { kernel(arguments...); });
    }
};
template <class Kernel>
simt_launch<Kernel> simt_launcher(Kernel *kernel, unsigned blocks, unsigned threads) {
    return {kernel, blocks, threads};
}

enum cudaError_t {
    cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaDeviceAttr {
    cudaDevAttrMemoryClockRate, cudaDevAttrGlobalMemoryBusWidth, cudaDevAttrMultiProcessorCount
};
struct cudaDeviceProp { char name[256]; size_t totalGlobalMem; int l2CacheSize; };
using simt_time = std::chrono::steady_clock::time_point;
typedef simt_time *cudaEvent_t;

static const char *cudaGetErrorString(cudaError_t) { return "simulated"; }
static cudaError_t cudaGetLastError() { return cudaSuccess; }
static cudaError_t cudaDriverGetVersion(int *version) { *version = 13000; return cudaSuccess; }
static cudaError_t cudaGetDeviceCount(int *count) { *count = 1; return cudaSuccess; }
static cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int) {
    *value = which == cudaDevAttrMultiProcessorCount ? 1 : 1000;
    return cudaSuccess;
}
static cudaError_t cudaGetDeviceProperties(cudaDeviceProp *told, int) {
    *told = {"simulated", 1u << 30, 1 << 20};
    return cudaSuccess;
}
static cudaError_t cudaMalloc(void **at, size_t bytes) {
    *at = std::malloc(bytes);
    return *at ? cudaSuccess : cudaErrorMemoryAllocation;
}
static cudaError_t cudaFree(void *at) { std::free(at); return cudaSuccess; }
static cudaError_t cudaMemset(void *at, int byte, size_t bytes) {
    std::memset(at, byte, bytes);
    return cudaSuccess;
}
static cudaError_t cudaMemsetAsync(void *at, int byte, size_t bytes) {
    return cudaMemset(at, byte, bytes);
}
static cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
static cudaError_t cudaEventCreate(cudaEvent_t *event) { *event = new simt_time; return cudaSuccess; }
static cudaError_t cudaEventDestroy(cudaEvent_t event) { delete event; return cudaSuccess; }
static cudaError_t cudaEventRecord(cudaEvent_t event) {
    *event = std::chrono::steady_clock::now();
    return cudaSuccess;
}
static cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
static cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    *milliseconds = std::chrono::duration<float, std::milli>(*end - *begin).count();
    return cudaSuccess;
}

#endif
