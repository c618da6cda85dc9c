"""Drives one robot through rosbridge: ahead where it is free, away from what is near.

    python3 ros_controller.py ws://127.0.0.1:9090 r1

The robot may be one of `outrider serve`, or a real one with rosbridge. Where there is a time (/clock), one velocity is
sent for each, since that world may wait for it; else one for each scan. Needs python3-websockets.
"""
import asyncio
import json
import math
import sys

import websockets

NEAR_M, FORWARD_MPS, TURN_RADPS = 0.8, 0.5, 1.0


def choose(scan):
    """Forward and turning velocity. A beam without a number, or beyond the range, met nothing."""
    left, right = [math.inf], [math.inf]
    for i, r in enumerate(scan["ranges"]):
        angle = scan["angle_min"] + i * scan["angle_increment"]
        if r is not None and scan["range_min"] <= r <= scan["range_max"] and abs(angle) < math.radians(60):
            (left if angle > 0 else right).append(r)
    if min(left + right) > NEAR_M:
        return FORWARD_MPS, 0.0
    return 0.0, TURN_RADPS if min(left) > min(right) else -TURN_RADPS


async def main(url, name):
    async with websockets.connect(url, max_size=None) as link:
        async def say(op, topic, **more):
            await link.send(json.dumps({"op": op, "topic": topic, **more}))

        await say("subscribe", f"/{name}/scan", type="sensor_msgs/LaserScan")
        await say("subscribe", "/clock", type="rosgraph_msgs/Clock")
        await say("advertise", f"/{name}/cmd_vel", type="geometry_msgs/Twist")  # last: the world may begin
        forward, turn, clock = 0.0, 0.0, False  # clock: whether there is one
        async for text in link:
            message = json.loads(text)
            if message["op"] == "status":
                print(message["msg"], file=sys.stderr)
            elif message["op"] == "publish":
                if message["topic"] == "/clock":
                    clock = True
                else:
                    forward, turn = choose(message["msg"])
                if clock == (message["topic"] == "/clock"):
                    await say("publish", f"/{name}/cmd_vel", msg={"linear": {"x": forward}, "angular": {"z": turn}})


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
