"""Starts outrider serve and an outrider robot for each robot of a team, lets things go wrong, and prints as JSON how it
ended. For tests.

    live_team.py PROGRAM SCENARIO [--protocol rosbridge|usarsim] [--lockstep | --speed X] [--robots r1,r2,r3]
                 [--delay SHARE] [--kill NAME@TIME] [--cut NAME@TIME:SECONDS] [--seconds MOST] [--orders FILE]
                 [-- ARGUMENT...]

Robots reach the server through a proxy, which delays a share of what it passes on by up to 0.8 s, and cuts the link of
one robot for some seconds; without --delay, --kill and --cut they reach it themselves. All these seconds, but those of
--seconds, are of the world's time: with --speed 4, 0.8 s are 0.2 s, and on a machine that is too slow for that, more.
The world takes the orders. Further arguments go to both commands.
"""
import argparse
import asyncio
import json
import random
import re
import sys

HOST = "127.0.0.1"


class WorldTime:
    """The time of the world, from what rosbridge sends on /clock."""
    PATTERN = re.compile(rb'"clock": *{"secs?": *(\d+), *"n(?:ano)?secs?": *(\d+)}')

    def __init__(self):
        self.now = -1.0

    def look(self, data):
        for seconds, nanoseconds in self.PATTERN.findall(data):
            self.now = max(self.now, int(seconds) + int(nanoseconds) / 1e9)

    async def comes_to(self, time):
        while self.now < time:
            await asyncio.sleep(0.005)


class Proxy:
    """Passes on bytes between a robot and the server."""

    def __init__(self, port, delay, most_delay, time):
        self.port, self.delay, self.most_delay, self.time = port, delay, most_delay, time
        self.open, self.writers = True, set()
        self.random = random.Random(1)

    async def listen(self):
        server = await asyncio.start_server(self.connect, HOST, 0)
        return server.sockets[0].getsockname()[1]

    async def connect(self, reader, writer):
        if not self.open:
            writer.close()
            return
        try:
            there, back = await asyncio.open_connection(HOST, self.port)
        except OSError:
            writer.close()
            return
        pair = (writer, back)
        self.writers.update(pair)
        await asyncio.gather(self.pass_on(reader, back), self.pass_on(there, writer))
        self.writers.difference_update(pair)

    async def pass_on(self, source, sink):
        last = b""  # a message may come in two parts
        try:
            while data := await source.read(65536):
                self.time.look(last + data)
                last = data[-100:]
                if self.random.random() < self.delay:
                    await asyncio.sleep(self.random.random() * self.most_delay)
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        sink.close()

    async def cut(self, until):
        self.open = False
        for writer in list(self.writers):
            writer.close()
        await self.time.comes_to(until)
        self.open = True


class Process:
    """A program whose error output is kept, with what it said when."""

    def __init__(self, *command):
        self.command, self.errors, self.news = command, [], asyncio.Event()

    async def start(self):
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*self.command, stdout=pipe, stderr=pipe)
        self.reading = asyncio.create_task(self.read())
        self.out = asyncio.create_task(self.process.stdout.read())
        return self

    async def read(self):
        async for line in self.process.stderr:
            self.errors.append(line.decode().rstrip())
            self.news.set()
        self.news.set()

    async def saw(self, pattern):
        """The match of the first line with this pattern; None when the program ends without one."""
        while True:
            for line in self.errors:
                if match := re.search(pattern, line):
                    return match
            if self.reading.done():
                return None
            self.news.clear()
            await self.news.wait()

    async def end(self):
        code = await self.process.wait()
        await self.reading
        return {"code": code, "out": (await self.out).decode(), "errors": self.errors[-200:]}


async def main():
    a = argparse.ArgumentParser()
    a.add_argument("program")
    a.add_argument("scenario")
    a.add_argument("--protocol", default="rosbridge")
    a.add_argument("--lockstep", action="store_true")
    a.add_argument("--speed", type=float)
    a.add_argument("--robots", default="r1,r2,r3")
    a.add_argument("--delay", type=float, default=0)
    a.add_argument("--kill")
    a.add_argument("--cut")
    a.add_argument("--seconds", type=float, default=300)
    a.add_argument("--orders")
    args, rest = a.parse_known_args()
    rest = [argument for argument in rest if argument != "--"]
    if (args.kill or args.cut) and args.protocol != "rosbridge":
        a.error("--kill and --cut: expected rosbridge, whose /clock says when")
    robots = args.robots.split(",")
    speed = args.speed or 1
    pace = ["--lockstep"] if args.lockstep else ["--speed", str(speed)]
    serve = await Process(args.program, "serve", args.scenario, "--" + args.protocol, "0", "--relay", "0", "--served",
                          args.robots, "--json", "--log", "full", "--log-file", "serve.sqlite", *pace,
                          *(["--operator", args.orders] if args.orders else []), *rest).start()
    ports = {}
    for kind in (args.protocol, "relay"):
        match = await serve.saw(r"(?i)serving .*:(\d+) \(%s\)" % kind)
        if not match:
            print(json.dumps(await serve.end()))
            return 1
        ports[kind] = int(match[1])
    scheme = "ws" if args.protocol == "rosbridge" else "usarsim"
    time, proxies, processes = WorldTime(), {}, {}
    for robot in robots:
        port = ports[args.protocol]
        if args.delay or args.kill or args.cut:
            proxies[robot] = Proxy(port, args.delay, 0.8 / speed, time)
            port = await proxies[robot].listen()
        processes[robot] = await Process(
            args.program, "robot", args.scenario, "--robots", robot, "--connect", "%s://%s:%d" % (scheme, HOST, port),
            "--relay", "ws://%s:%d" % (HOST, ports["relay"]), "--log-file", robot + ".sqlite", *rest).start()

    async def mischief():
        if args.kill:
            robot, when = args.kill.split("@")
            await time.comes_to(float(when))
            processes[robot].process.kill()
        if args.cut:
            robot, when, seconds = re.split("[@:]", args.cut)
            await time.comes_to(float(when))
            await proxies[robot].cut(time.now + float(seconds))

    trouble = asyncio.create_task(mischief())
    late = False
    try:
        await asyncio.wait_for(serve.process.wait(), args.seconds)
    except asyncio.TimeoutError:
        late = True
        serve.process.terminate()
    trouble.cancel()
    results = {"serve": await serve.end(), "late": late}
    for robot, process in processes.items():
        try:  # in lock-step it has come as far as the server; else it may wait for a world that does not come back
            await asyncio.wait_for(process.process.wait(), 60 if args.lockstep else 0.1)
        except asyncio.TimeoutError:
            process.process.terminate()
        results[robot] = await process.end()
    print(json.dumps(results))
    return 0


sys.exit(asyncio.run(main()))
