// How programs take memory from the system: in huge pages, where it has them. On large maps and with large teams,
// faults for small pages and looking their addresses up are a good part of the time. All of this is a hint: where there
// are no such pages, or memory is limited, everything works as without it.
#pragma once

namespace outrider {

/// For a program of ours: freed memory is kept, since what one step frees the next one asks for again, and the heap
/// grows in huge pages. Without this call (in the Python module), `operator new` asks for them for large blocks alone.
void keep_memory();

}  // namespace outrider
