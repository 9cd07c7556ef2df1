/* simt.h - a device that is not here, played by threads of the CPU: for tests, and never for times.
 *
 * Blocks run one after the other, the threads of a block as threads, which meet in `warp_barrier` and
 * `block_barrier`. What a kernel computes can be held against float64 this way; how a real device
 * schedules, rounds or fails cannot.
 */
#ifndef SIMT_H
#define SIMT_H

#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace simt {

constexpr unsigned WARP_SIZE = 32;

struct Block {
    explicit Block(unsigned threads) : whole(threads), slots(threads) {
        for (unsigned first = 0; first < threads; first += WARP_SIZE) {
            unsigned lanes = threads - first < WARP_SIZE ? threads - first : WARP_SIZE;
            warps.push_back(std::make_unique<std::barrier<>>(lanes));
        }
    }
    std::barrier<> whole;
    std::vector<std::unique_ptr<std::barrier<>>> warps;
    std::vector<uint64_t> slots;
};

inline thread_local Block *block;
inline thread_local unsigned thread_in_block, block_in_grid, threads_in_block, blocks_in_grid;

inline void block_barrier() { block->whole.arrive_and_wait(); }

/* What another lane of the warp gave; every lane of the warp must ask. */
template <class T> T from_lane(T value, unsigned lane) {
    std::barrier<> &warp = *block->warps[thread_in_block / WARP_SIZE];
    unsigned first = thread_in_block / WARP_SIZE * WARP_SIZE;
    std::memcpy(&block->slots[thread_in_block], &value, sizeof value);
    warp.arrive_and_wait();
    T found;
    std::memcpy(&found, &block->slots[first + lane], sizeof found);
    warp.arrive_and_wait();
    return found;
}

template <class Action> void run(unsigned blocks, unsigned threads, Action action) {
    for (unsigned b = 0; b < blocks; b++) {
        Block current(threads);
        std::vector<std::thread> started;
        for (unsigned t = 0; t < threads; t++)
            started.emplace_back([&, t] {
                block = &current;
                thread_in_block = t, block_in_grid = b;
                threads_in_block = threads, blocks_in_grid = blocks;
                action();
                /* A thread that has returned is waited for by nobody. */
                current.warps[t / WARP_SIZE]->arrive_and_drop();
                current.whole.arrive_and_drop();
            });
        for (std::thread &one : started) one.join();
    }
}

} // namespace simt

#endif
