"""Drives a robot of USARSim, or of `outrider serve --usarsim`: it wanders, and turns away from what is near.

    python3 docs/examples/usar_controller.py 127.0.0.1 3000 r1

It answers each STA with one DRIVE, so that a world in lock-step goes on as fast as it can.
"""
import re
import socket
import sys

NEAR_M = 0.9             # ahead; at the sides half of it
AHEAD, TURN = 3.0, 1.5   # radians per second of the wheels


def parse(line):
    """The type of a line, and its segments: "STA {Time 1.2}" gives "STA", {"Time": "1.2"}."""
    return line.split("{")[0].strip(), dict(re.findall(r"\{(\S+) *([^}]*)\}", line))


def wheels(ranges, turning):
    """Speeds of the left and of the right wheels. Ranges go from right to left; 0 says nothing."""
    seen = [r if r > 0 else NEAR_M for r in ranges]
    third = max(1, len(seen) // 3)
    right, front, left = min(seen[:third]), min(seen[third:-third] or seen), min(seen[-third:])
    if front > NEAR_M and min(left, right) > NEAR_M / 2:
        return AHEAD, AHEAD
    # Once it turns, it goes on that way until there is room: otherwise it would waver in a corner.
    way = turning or (1 if left > right else -1)
    return -way * TURN, way * TURN


def main(host, port, name):
    robot = socket.create_connection((host, int(port)))
    robot.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def say(text):
        robot.sendall((text + "\r\n").encode())

    say("INIT {ClassName USARBot.P3AT} {Name %s} {Location 0,0,0} {Rotation 0,0,0}" % name)
    ranges, turning = [], 0
    for line in robot.makefile(encoding="latin-1", newline="\n"):
        kind, values = parse(line)
        if kind == "RES" and values.get("Status") == "Failed":
            sys.exit("%s: %s" % (values.get("Type"), values.get("Reason")))
        if kind == "SEN" and values.get("Type") == "RangeScanner":
            ranges = [float(r) for r in values["Range"].split(",")]
        if kind == "STA":
            left, right = wheels(ranges, turning) if ranges else (0, 0)
            turning = (right > left) - (right < left)
            say("DRIVE {Left %.3f} {Right %.3f}" % (left, right))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
