// The one place where threads are made.
#pragma once

#include <functional>
#include <memory>

namespace outrider {

/// Threads that parallel_for may use for as long as the object lives; 1 calls the body in a plain loop and no worker
/// ever wakes (without any ThreadLimit that is so too). The newest one counts; the main thread makes it.
class ThreadLimit {
  public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

  private:
    struct Arena;
    std::unique_ptr<Arena> arena_;
    void* previous_;
};

/// Calls body(i) once for each i in [0, count), in any order, and waits for all. Body i may read what nobody writes
/// meanwhile and write only what belongs to index i; then the result cannot depend on the number of threads. Of the
/// exceptions thrown that of the lowest index is passed on.
void parallel_for(int count, const std::function<void(int)>& body);

}  // namespace outrider
