#include "base/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <exception>
#include <mutex>
#include <utility>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

// Debian's TBB is not instrumented, so ThreadSanitizer cannot see that parallel_for hands the work over and waits for
// it; these two edges say so, and nothing else is hidden from it.
#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#define OUTRIDER_TSAN_ACQUIRE(address) __tsan_acquire(address)
#define OUTRIDER_TSAN_RELEASE(address) __tsan_release(address)
#else
#define OUTRIDER_TSAN_ACQUIRE(address) (void)(address)
#define OUTRIDER_TSAN_RELEASE(address) (void)(address)
#endif

namespace outrider {

/// An arena of so many threads, even of more than the machine has cores.
struct ThreadLimit::Arena {
    tbb::task_arena arena;
    explicit Arena(int threads) : arena(threads) {
        static const tbb::global_control all(tbb::global_control::max_allowed_parallelism, 256);
    }
};

namespace {

thread_local tbb::task_arena* current_arena = nullptr;

struct Job {
    const std::function<void(int)>& body;
    char in = 0, out = 0;  // their addresses stand for handing over and for waiting
    std::mutex mutex{};
    int failed = -1;  // the lowest index whose body threw, and what it threw
    std::exception_ptr error{};

    void run(int i) {
        try {
            body(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (failed >= 0 && failed < i) return;
            failed = i;
            error = std::current_exception();
        }
    }
};

/// What TBB copies from task to task, in code that the sanitizer does not see: only this pointer is read unwatched.
struct Worker {
    Job* job;
    __attribute__((noinline, no_sanitize("thread"))) Job* get() const { return job; }
    void operator()(const tbb::blocked_range<int>& range) const {
        Job* const mine = get();
        OUTRIDER_TSAN_ACQUIRE(&mine->in);
        tbb::task_arena* const outer = std::exchange(current_arena, nullptr);  // what a body calls runs in its thread
        for (int i = range.begin(); i < range.end(); ++i) mine->run(i);
        current_arena = outer;
        OUTRIDER_TSAN_RELEASE(&mine->out);
    }
};

}  // namespace

std::shared_ptr<ThreadLimit::Arena> get_threads(int threads) {
    return threads > 1 ? std::make_shared<ThreadLimit::Arena>(threads) : nullptr;
}

ThreadLimit::ThreadLimit(int threads) : ThreadLimit(get_threads(threads)) {}
ThreadLimit::ThreadLimit(std::shared_ptr<Arena> threads) : arena_(std::move(threads)) {
    previous_ = std::exchange(current_arena, arena_ ? &arena_->arena : nullptr);
}

ThreadLimit::~ThreadLimit() { current_arena = static_cast<tbb::task_arena*>(previous_); }

void parallel_for(int count, const std::function<void(int)>& body) {
    tbb::task_arena* arena = current_arena;
    if (!arena || count < 2) {
        for (int i = 0; i < count; ++i) body(i);
        return;
    }
    Job job{body};
    OUTRIDER_TSAN_RELEASE(&job.in);
    arena->execute(
        [&] { tbb::parallel_for(tbb::blocked_range<int>(0, count, 1), Worker{&job}, tbb::simple_partitioner()); });
    OUTRIDER_TSAN_ACQUIRE(&job.out);
    if (job.error) std::rethrow_exception(job.error);
}

}  // namespace outrider
