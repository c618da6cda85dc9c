#include "arguments/memory.hpp"

#include <cstdlib>
#include <new>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#endif

namespace outrider {
namespace {

#ifdef __GLIBC__
constexpr std::size_t large_block = 4 << 20;  // bytes
constexpr std::uintptr_t page = 2 << 20;      // bytes of a huge one

/// Up to where the heap was asked to lie in huge pages: a block beyond says that it grew. Nothing lies beyond at first.
std::atomic<std::uintptr_t> asked_to{~std::uintptr_t{0}};

void ask_for_huge_pages(std::uintptr_t from, std::uintptr_t to) {
    if (to > from) madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
}

void follow(void* block, std::size_t size) {
    constexpr std::uintptr_t far = std::uintptr_t{1} << 36;  // what malloc takes elsewhere
    const auto begin = reinterpret_cast<std::uintptr_t>(block), end = begin + size;
    std::uintptr_t from = asked_to.load(std::memory_order_relaxed);
    if (end - from < far) {
        const auto to = reinterpret_cast<std::uintptr_t>(sbrk(0)) / page * page;
        if (to > from && asked_to.compare_exchange_strong(from, to)) ask_for_huge_pages(from, to);
    } else if (size >= large_block && from == ~std::uintptr_t{0}) {
        ask_for_huge_pages((begin + page - 1) / page * page, end / page * page);
    }
}
#else
void follow(void*, std::size_t) {}
#endif

}  // namespace

void keep_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);  // bytes
    mallopt(M_TOP_PAD, 64 << 20);
    asked_to = (reinterpret_cast<std::uintptr_t>(sbrk(0)) + page - 1) / page * page;
#endif
}

}  // namespace outrider

// All blocks are malloc's: libraries that do not know of these functions may free them, and these free theirs.
void* operator new(std::size_t size) {
    for (;;) {
        if (void* block = std::malloc(size == 0 ? 1 : size)) {
            outrider::follow(block, size);
            return block;
        }
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
