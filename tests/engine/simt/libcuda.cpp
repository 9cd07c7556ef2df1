/* libcuda.cpp - the words of the CUDA driver that driver.py says, over a device of threads. See
 * simt.h. "Loading" a cubin finds the same kernels compiled for the CPU, whatever its bytes are.
 */
#include "cuda_runtime.h"

#include "cuda_kernels.cuh"

#include <map>
#include <string>
#include <tuple>
#include <utility>

#define WORD extern "C" int

template <class... Arguments, size_t... At>
static void call(void (*kernel)(Arguments...), void **given, unsigned blocks, unsigned threads,
                 std::index_sequence<At...>) {
    simt::run(blocks, threads, [&] { kernel(*(Arguments *)given[At]...); });
}

struct Function {
    void (*enter)(void **given, unsigned blocks, unsigned threads);
};

template <auto Kernel> struct Entered;
template <class... Arguments, void (*Kernel)(Arguments...)> struct Entered<Kernel> {
    static void enter(void **given, unsigned blocks, unsigned threads) {
        call(Kernel, given, blocks, threads, std::index_sequence_for<Arguments...>());
    }
};

#define KERNEL(name) {#name, {Entered<&name>::enter}}
static std::map<std::string, Function> kernels = {
    KERNEL(triad_plain),      KERNEL(triad_tuned),      KERNEL(argmax_i32),
    KERNEL(argmax_f32_plain), KERNEL(argmax_f32_tuned), KERNEL(store_best),
    KERNEL(matvec_i8_plain),  KERNEL(matvec_i8_tuned),  KERNEL(gemv_q8_0_plain),
    KERNEL(gemv_q8_0_tuned),  KERNEL(matvec_f32_plain), KERNEL(matvec_f32_tuned),
    KERNEL(rmsnorm_plain),    KERNEL(rmsnorm_tuned),    KERNEL(absorb),
    KERNEL(store_token),
};

#ifndef DEVICES
#define DEVICES 1
#endif

WORD cuInit(unsigned) { return DEVICES ? 0 : 100; }
WORD cuDriverGetVersion(int *version) { *version = 13000; return 0; }
WORD cuDeviceGetCount(int *count) { *count = DEVICES; return 0; }
WORD cuDeviceGet(int *device, int) { *device = 0; return 0; }
WORD cuDeviceGetName(char *name, int length, int) {
    std::strncpy(name, "played", (size_t)length);
    return 0;
}
WORD cuDeviceTotalMem_v2(size_t *bytes, int) { *bytes = 1 << 30; return 0; }
WORD cuDeviceGetAttribute(int *value, int which, int) {
    *value = which == 16 ? 1 : which == 75 ? 9 : which == 76 ? 0 : 1000;
    return 0;
}
WORD cuDevicePrimaryCtxRetain(void **context, int) { *context = nullptr; return 0; }
WORD cuCtxSetCurrent(void *) { return 0; }
WORD cuModuleLoadData(void **module, const void *code) {
    *module = nullptr;
    return std::memcmp(code, "\177ELF", 4) ? 200 : 0;
}
WORD cuModuleGetFunction(void **function, void *, const char *name) {
    auto found = kernels.find(name);
    if (found == kernels.end()) return 500;
    *function = &found->second;
    return 0;
}

/* What is held is counted, so that a test can say that all of it was given back. */
static int held = 0;
WORD played_held() { return held; }
WORD cuMemAlloc_v2(unsigned long long *at, size_t bytes) {
    if (bytes > (size_t)1 << 30) return 2;
    held++;
    *at = (unsigned long long)std::malloc(bytes);
    return 0;
}
WORD cuMemFree_v2(unsigned long long at) { held--; std::free((void *)at); return 0; }
WORD cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t n) {
    std::memcpy((void *)to, from, n);
    return 0;
}
WORD cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t n) {
    std::memcpy(to, (void *)from, n);
    return 0;
}
WORD cuMemsetD8Async(unsigned long long at, unsigned char byte, size_t n, void *) {
    std::memset((void *)at, byte, n);
    return 0;
}
WORD cuEventCreate(void **event, unsigned) { *event = new simt_time; return 0; }
WORD cuEventRecord(void *event, void *) {
    *(simt_time *)event = std::chrono::steady_clock::now();
    return 0;
}
WORD cuEventSynchronize(void *) { return 0; }
WORD cuEventElapsedTime(float *ms, void *begin, void *end) {
    return cudaEventElapsedTime(ms, (simt_time *)begin, (simt_time *)end);
}
WORD cuLaunchKernel(void *function, unsigned blocks, unsigned y, unsigned z, unsigned threads,
                    unsigned, unsigned, unsigned, void *, void **given, void **) {
    if (blocks == 0 || y != 1 || z != 1) return 1;
    ((Function *)function)->enter(given, blocks, threads);
    return 0;
}
WORD cuGetErrorString(int, const char **told) { *told = "played"; return 0; }
