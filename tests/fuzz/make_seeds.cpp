// Writes the seeds anew: outrider-fuzz-seeds tests/fuzz/seeds
#include <cstdio>
#include <filesystem>

#include "base/output.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "expected the folder for the seeds\n");
        return 2;
    }
    for (const outrider::fuzz::Seed& seed : outrider::fuzz::make_seeds()) {
        outrider::OutputFile file(std::string(arguments[1]) + "/" + seed.target + "/" + seed.name, true);
        file.write(seed.bytes);
        file.commit();
    }
    return 0;
}
