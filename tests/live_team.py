"""Starts outrider serve and an outrider robot for each robot of a team, lets things go wrong, and prints as JSON how it
ended. For tests.

    live_team.py PROGRAM SCENARIO [--protocol rosbridge|usarsim] [--lockstep | --speed X] [--robots r1,r2,r3]
                 [--delay SHARE] [--kill NAME@SECONDS] [--cut NAME@SECONDS:SECONDS] [--seconds MOST] [-- ARGUMENT...]

Robots reach the server through a proxy, which delays a share of what it passes on by up to 0.2 s, and cuts the link of
one robot for some seconds. Further arguments go to both commands.
"""
import argparse
import asyncio
import json
import random
import re
import sys

HOST = "127.0.0.1"


class Proxy:
    """Passes on bytes between a robot and the server."""

    def __init__(self, port, delay):
        self.port, self.delay, self.open, self.writers = port, delay, True, set()
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
        try:
            while data := await source.read(65536):
                if self.random.random() < self.delay:
                    await asyncio.sleep(self.random.random() * 0.2)
                sink.write(data)
                await sink.drain()
        except OSError:
            pass
        sink.close()

    async def cut(self, seconds):
        self.open = False
        for writer in list(self.writers):
            writer.close()
        await asyncio.sleep(seconds)
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
    args, rest = a.parse_known_args()
    rest = [argument for argument in rest if argument != "--"]
    robots = args.robots.split(",")
    pace = ["--lockstep"] if args.lockstep else ["--speed", str(args.speed or 1)]
    serve = await Process(args.program, "serve", args.scenario, "--" + args.protocol, "0", "--relay", "0", "--served",
                          args.robots, "--json", "--log", "full", "--log-file", "serve.sqlite", *pace,
                          *rest).start()
    ports = {}
    for kind in (args.protocol, "relay"):
        match = await serve.saw(r"(?i)serving .*:(\d+) \(%s\)" % kind)
        if not match:
            print(json.dumps(await serve.end()))
            return 1
        ports[kind] = int(match[1])
    scheme = "ws" if args.protocol == "rosbridge" else "usarsim"
    proxies, processes = {}, {}
    for robot in robots:
        proxies[robot] = Proxy(ports[args.protocol], args.delay)
        port = await proxies[robot].listen()
        processes[robot] = await Process(
            args.program, "robot", args.scenario, "--robots", robot, "--connect", "%s://%s:%d" % (scheme, HOST, port),
            "--relay", "ws://%s:%d" % (HOST, ports["relay"]), "--log-file", robot + ".sqlite", *rest).start()

    async def mischief():
        while sum(bool(re.search(r" came$| drives ", line)) for line in serve.errors) < len(robots):
            await asyncio.sleep(0.1)  # the run has not begun
        if args.kill:
            robot, seconds = args.kill.split("@")
            await asyncio.sleep(float(seconds))
            processes[robot].process.kill()
        if args.cut:
            robot, when, seconds = re.split("[@:]", args.cut)
            await asyncio.sleep(float(when))
            await proxies[robot].cut(float(seconds))

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
        try:
            await asyncio.wait_for(process.process.wait(), 2)
        except asyncio.TimeoutError:
            process.process.terminate()
        results[robot] = await process.end()
    print(json.dumps(results))
    return 0


sys.exit(asyncio.run(main()))
