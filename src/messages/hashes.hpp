// Canonical hashes of what passes between the world and the robots: equal hashes, equal bits. Overlays are never
// hashed.
#pragma once

#include "outrider/decision.hpp"
#include "outrider/percept.hpp"

namespace outrider {

Hash128 hash_of(const Percept& percept);
Hash128 hash_of(const Decision& decision);
Hash128 hash_of(const Message& message);

}  // namespace outrider
