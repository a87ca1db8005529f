# SPDX-License-Identifier: Apache-2.0
"""
Calls that come again: a list of dicts is built once and found from then on; a prepared call runs
again with another word and another place.

  tern sim --torus 4x1x1 &
  python3 calls.py sim:0 sim:1 1000
"""
import sys
import tern


def wait(completions):
    done = completions.next(timeout=60)
    if done.status != tern.ST_OK:
        raise tern.Error(done.status)


def main(here_uri, there_uri, times=1000):
    with tern.open(here_uri) as here, tern.open(there_uri) as there:
        target = bytearray(8 * times + 64)
        remote = there.register(target, tern.REMOTE_WRITE | tern.REMOTE_ATOMIC)
        source = bytearray(64)
        region = here.register(source)
        completions = here.cq()
        queue = completions.sq()
        calls = tern.Calls(queue)

        # The dicts stay as they are, and their segments are tuples: the call is found again.
        call = [{"op": "put", "remote": remote.pointer(8 * times), "local": ((region, 0, 64),)},
                {"op": "add", "remote": remote.pointer(), "value": 1, "fence": True,
                 "signal": True}]
        for _ in range(times):
            calls.call(call)
            wait(completions)
        counts = calls.counts()["lists"]

        # A place at the other end that changes from one execution to the next is a hole.
        prepared = calls.prepare([{"op": "put", "remote": remote.pointer(),
                                   "local": ((region, 0, 8),), "signal": True}], [(0, "remote")])
        for i in range(times):
            source[:8] = (i + 1).to_bytes(8, "little")
            prepared.set(0, remote.pointer(8 * i))
            prepared.execute()
            wait(completions)
        written = sum(int.from_bytes(target[8 * i:8 * i + 8], "little") == i + 1
                      for i in range(times))
        print("%d calls: built %d, found %d; %d executions: %d words written" %
              (times, counts["misses"], counts["hits"], times, written))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: calls.py URI URI [TIMES]")
    try:
        main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:4]))
    except tern.Error as error:
        sys.exit("calls.py: %s" % error)
