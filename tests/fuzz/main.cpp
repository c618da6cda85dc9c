// What libFuzzer calls. The target is chosen with --target=NAME; --targets lists all and ends.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fuzz/fuzz.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

const outrider::fuzz::Target* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
    for (int i = 1; i < *count; ++i) {
        const std::string_view argument = (*arguments)[i];
        if (argument == "--targets") {
            for (const auto& t : outrider::fuzz::targets())
                std::printf("%s %zu\n", std::string(t.name).c_str(), t.most_bytes);
            std::fflush(stdout);
            _exit(0);
        }
        if (argument.starts_with("--target=")) target = outrider::fuzz::find_target(argument.substr(9));
    }
    if (!target) {
        std::fprintf(stderr, "expected --target=NAME; --targets lists them\n");
        std::exit(2);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    outrider::fuzz::run(*target, {reinterpret_cast<const char*>(data), size});
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (!target->repair || seed % 16 == 0) return size;  // at times the checksums stay wrong
    const std::string repaired = target->repair({reinterpret_cast<const char*>(data), size});
    if (repaired.size() > most) return size;
    std::memcpy(data, repaired.data(), repaired.size());
    return repaired.size();
}
