// What the project uses of zlib, for a module in a browser: reads what zlib reads; writes streams that zlib reads, not
// compressed, since they leave the module only for the page beside it. (portable.cpp)
#pragma once

using Bytef = unsigned char;
using uInt = unsigned int;
using uLong = unsigned long;
using uLongf = unsigned long;

enum { Z_OK = 0, Z_STREAM_END = 1, Z_DATA_ERROR = -3, Z_MEM_ERROR = -4, Z_BUF_ERROR = -5 };
enum { Z_NO_FLUSH = 0, Z_FINISH = 4 };
enum { Z_BEST_SPEED = 1, Z_BEST_COMPRESSION = 9, Z_DEFAULT_COMPRESSION = -1 };
enum { Z_DEFAULT_STRATEGY = 0, Z_HUFFMAN_ONLY = 2 };

struct zlib_state;
struct z_stream {
    const Bytef* next_in = nullptr;
    uInt avail_in = 0;
    Bytef* next_out = nullptr;
    uInt avail_out = 0;
    zlib_state* state = nullptr;
};

uLong crc32(uLong before, const Bytef* data, uInt size);
uLong compressBound(uLong size);
int compress2(Bytef* to, uLongf* to_size, const Bytef* from, uLong size, int level);
int uncompress(Bytef* to, uLongf* to_size, const Bytef* from, uLong size);

inline int deflateInit(z_stream*, int) { return Z_OK; }
inline int deflateReset(z_stream*) { return Z_OK; }
inline int deflateParams(z_stream*, int, int) { return Z_OK; }
inline int deflateEnd(z_stream*) { return Z_OK; }
inline uLong deflateBound(z_stream*, uLong size) { return compressBound(size); }
int deflate(z_stream* stream, int flush);  ///< all of the input at once

int inflateInit(z_stream* stream);
int inflate(z_stream* stream, int flush);
int inflateEnd(z_stream* stream);
