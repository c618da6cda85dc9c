// Members that are copied with what holds them, or left out of its copies.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "outrider/detail/whole_copy.hpp"

namespace outrider {

/// A pointer that owns what it points to: a copy of it owns a copy of that. Of kinds with clone() it is what clone()
/// returns; where that is nullptr, the copy throws CannotCopy.
template <class T>
class Boxed {
  public:
    Boxed() = default;
    Boxed(std::nullptr_t) {}
    template <class Made>
    requires std::convertible_to<Made*, T*> Boxed(std::unique_ptr<Made> made) : made_(std::move(made)) {}
    Boxed(const Boxed& other) : made_(other.made_ ? copy_of(*other.made_) : nullptr) {}
    Boxed(Boxed&&) noexcept = default;
    Boxed& operator=(Boxed other) noexcept {
        made_.swap(other.made_);
        return *this;
    }
    ~Boxed() = default;

    T* get() const { return made_.get(); }
    T& operator*() const { return *made_; }
    T* operator->() const { return made_.get(); }
    explicit operator bool() const { return made_ != nullptr; }

  private:
    static std::unique_ptr<T> copy_of(const T& original) {
        if constexpr (requires { original.clone(); }) {
            auto copy = original.clone();
            if (!copy) throw CannotCopy();
            return copy;
        } else {
            return std::make_unique<T>(original);
        }
    }
    std::unique_ptr<T> made_;
};

/// A kind of Base whose clone() is made by its copy constructor.
template <class Kind, class Base>
class Copied : public Base {
  public:
    std::unique_ptr<Base> clone() const override { return std::make_unique<Kind>(static_cast<const Kind&>(*this)); }
};

/// Working memory, or what is found again when it is asked for: in a copy it is as at first.
template <class T>
struct NotCopied {
    T it{};
    NotCopied() = default;
    NotCopied(const NotCopied&) {}
    NotCopied(NotCopied&&) noexcept = default;
    NotCopied& operator=(NotCopied other) noexcept {
        std::swap(it, other.it);
        return *this;
    }
    ~NotCopied() = default;
};

}  // namespace outrider
