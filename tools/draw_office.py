#!/usr/bin/env python3
"""Draws environments/office.png: an office floor of 60 x 40 m, 0.1 m per cell. Standard library only.

usage: draw_office.py OUT.png
"""
import random
import struct
import sys
import zlib

W, H = 600, 400
WALL, DOOR = 2, 10  # cells: 0.2 m, 1.0 m
grid = [bytearray(b"\xff" * W) for _ in range(H)]  # row 0 at the top


def fill(x, y, w, h, value):
    for row in grid[max(0, y):y + h]:
        for i in range(max(0, x), min(W, x + w)):
            row[i] = value


def wall(x, y, w, h):
    fill(x, y, w, h, 0)


def room(x, y, w, h, door=None):
    """A room with its walls; `door` = (side, offset) of an opening of DOOR cells."""
    wall(x, y, w, WALL)
    wall(x, y + h - WALL, w, WALL)
    wall(x, y, WALL, h)
    wall(x + w - WALL, y, WALL, h)
    if door:
        side, at = door
        if side in "ns":
            fill(x + at, y if side == "n" else y + h - WALL, DOOR, WALL, 255)
        else:
            fill(x if side == "w" else x + w - WALL, y + at, WALL, DOOR, 255)


def row_of_rooms(x, y, w, h, widths, side, rng):
    """Rooms side by side, each with a door on `side`."""
    for width in widths:
        room(x, y, width + WALL, h, (side, rng.randint(6, width - DOOR - 4)))
        x += width


def main():
    rng = random.Random(7)
    room(0, 0, W, H)
    # North: offices above the main corridor; south: meeting rooms and offices below the second one.
    row_of_rooms(0, 0, W, 84, [74, 62, 62, 90, 62, 62, 62, 62, 60], "s", rng)
    row_of_rooms(0, 318, W, 82, [100, 62, 62, 62], "n", rng)
    row_of_rooms(400, 318, W, 82, [62, 62, 72], "n", rng)
    # Between the corridors: two blocks of inner rooms, and an open-plan hall with desks and pillars.
    row_of_rooms(26, 106, 0, 70, [64, 64, 64], "n", rng)
    row_of_rooms(26, 174, 0, 122, [96, 96], "s", rng)
    room(258, 106, 196, 190, ("n", 30))
    fill(258 + 150, 106, 16, WALL, 255)
    fill(258 + 60, 294, 24, WALL, 255)
    fill(452, 180, WALL, 14, 255)
    for x in range(276, 440, 34):
        for y in range(132, 270, 34):
            wall(x, y, 16, 8)
            if (x // 34 + y // 34) % 2:
                wall(x + 4, y + 12, 8, 4)
    for x in (300, 400):
        for y in (124, 200, 280):
            wall(x, y, 4, 4)
    # East: a server room, a kitchen, and a meeting room with glass to the corridor that is closed.
    room(476, 106, 100, 62, ("w", 24))
    room(476, 190, 100, 50, ("n", 40))
    room(476, 256, 100, 40, ("s", 60))
    # The lobby in the south has no wall to the corridor.
    wall(300, 360, 30, 4)
    wall(350, 340, 4, 30)

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    bits = b"".join(b"\0" + bytes(sum((row[x + k] >> 7) << (7 - k) for k in range(8)) for x in range(0, W, 8)) for row in grid)
    png = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", W, H, 1, 0, 0, 0, 0)) +
           chunk(b"tEXt", b"Source\0tools/draw_office.py") + chunk(b"IDAT", zlib.compress(bits, 9)) + chunk(b"IEND", b""))
    open(sys.argv[1], "wb").write(png)


if __name__ == "__main__":
    main()
