# SPDX-License-Identifier: Apache-2.0
"""
usage: cost.py MARKS URI URI COUNT...

As cost.c, from Python: callgrind counts the instructions inside call(), prepare(), set() and
execute() of the module.  MARKS is the library of mark.c.
"""
import ctypes
import sys

import tern

TIMES, BYTES, STRIDE = 20, 16, 64


def main(marks, here_uri, there_uri, *counts):
    mark = ctypes.CDLL(marks).call_mark
    here, there = tern.open(here_uri), tern.open(there_uri)
    source = here.register(bytearray(STRIDE * 64))
    target = there.register(bytearray(STRIDE * 64), tern.REMOTE_WRITE)
    completions = here.cq(8)
    queue = completions.sq(8)
    built, stored = tern.Calls(queue, off=True), tern.Calls(queue)
    holes = [(0, "remote")]
    places = [target.pointer(STRIDE * i) for i in range(64)]

    for count in counts:
        requests = [{"op": "put", "remote": places[i], "local": ((source, STRIDE * i, BYTES),),
                     "id": i, "signal": i + 1 == count} for i in range(count)]
        prepared = stored.prepare(requests, holes)
        seen = [0]

        def miss():
            seen[0] += 1
            requests[0]["compare"] = seen[0]
            stored.call(requests)

        def prepare():
            seen[0] += 1
            requests[0]["compare"] = seen[0]
            stored.prepare(requests, holes)

        def hole(turn=[0]):
            turn[0] += 1
            prepared.set(0, places[turn[0] % 64])
            prepared.execute()

        parts = {"warm": lambda: stored.call(requests), "build": lambda: built.call(requests),
                 "hit": lambda: stored.call(requests), "execute": prepared.execute, "hole": hole,
                 "miss": miss, "prepare": prepare}
        for name, run in parts.items():
            mark(None)
            for _ in range(TIMES):
                run()
                while name != "prepare" and not completions.poll():
                    pass
            part = "python %s %d" % (name, count)
            mark(part.encode())
            print("part", part, TIMES)


main(*sys.argv[1:4], *map(int, sys.argv[4:]))
