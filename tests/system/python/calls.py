# SPDX-License-Identifier: Apache-2.0
"""Calls as lists of dicts: two tables in a row, prepared calls, what is refused."""
import random
import resource

import tern
from rig import SOFT, End, end, evidence, raises, status_of, tap

here, there = End("sim:0"), End("sim:1")
node = there.device.info()["node"]
far = there.region.pointer
calls = tern.Calls(here.sq, check_hits=True)


def put(offset, length, at, **more):
    return {"op": "put", "remote": far(at), "local": ((here.region, offset, length),), **more}


def counts(table, name, of=None):
    return (of or calls).counts()[table][name]


# ---- two tables in a row
request = put(0, 64, 0, signal=True, id=5)
back = {"op": "get", "remote": far(0), "local": ((here.region, 512, 40), (here.region, 640, 24)),
        "signal": True, "fence": True, "id": 6}
good = True
for i in range(20):
    here.memory[:64] = bytes([i]) * 64
    calls.call([request, back])
    ends = sorted((done.context, done.status) for done in (here.cq.next(60), here.cq.next(60)))
    good = good and ends == [(5, 0), (6, 0)] and there.memory[:64] == bytes([i]) * 64
    good = good and here.memory[512:552] + here.memory[640:664] == bytes([i]) * 64
tap(good and counts("lists", "misses") == 1 and counts("lists", "hits") == 19 and
    counts("packed", "misses") == 1 and counts("packed", "hits") == 19,
    "a list of dicts is packed once and built once, and found in both tables then")
unlike = counts("lists", "unlike") + counts("packed", "unlike")
evidence("F8", calls=20, lists_hits=counts("lists", "hits"), packed_hits=counts("packed", "hits"),
         unlike=unlike)
evidence("F3", packed=counts("lists", "misses"), found=counts("lists", "hits"))

calls.call([dict(request), dict(back)])
good = here.ends() and here.ends() and counts("lists", "misses") == 2
tap(good and counts("packed", "misses") == 1 and counts("packed", "hits") == 20,
    "other dicts with the same contents miss the first table and hit the second")

request["remote"] = far(128)
here.memory[:64] = b"o" * 64
calls.call([request, back])
good = here.ends() and here.ends() and there.memory[128:192] == b"o" * 64
request["remote"] = far(0)
tap(good and counts("lists", "misses") == 3 and counts("lists", "unlike") == 0,
    "a dict that was changed is another call")

mutable = [here.region, 0, 8]
listed = {"op": "put", "remote": far(256), "local": [mutable], "signal": True}
for i in range(4):
    mutable[1] = 8 * i
    here.memory[8 * i:8 * i + 8] = bytes([i + 1]) * 8
    calls.call([listed])
    good = good and here.ends() and there.memory[256:264] == bytes([i + 1]) * 8
tap(good and counts("lists", "unstored") == 4, "segments in lists may change, so none is stored")

inline = [{"op": "put", "remote": far(300), "data": b"constant", "signal": True},
          {"op": "put", "remote": far(320), "local": ((here.region, 0, 8),), "inline": True,
           "signal": True}]
for i in range(3):
    here.memory[:8] = bytes([i + 65]) * 8
    calls.call(inline)
    good = good and here.ends() and here.ends() and there.memory[300:308] == b"constant"
    good = good and there.memory[320:328] == bytes([i + 65]) * 8
tap(good, "inline requests take the bytes of an object, or those of the moment")

add = [{"op": "add", "remote": far(1024), "value": 3, "signal": True, "id": 1},
       {"op": "cas", "remote": far(1024), "compare": 3, "swap": -1, "signal": True, "fence": True,
        "id": 2}]
calls.call(add)
values = dict((done.context, done.value) for done in (here.cq.next(60), here.cq.next(60)))
tap(values == {1: 0, 2: 3} and there.memory[1024:1032] == b"\xff" * 8,
    "atomic requests bring the word as it was")

receiver = there.cq.rq(4, 6)
message = [{"op": "send", "node": node, "queue": receiver.number, "data": b"first", "imm": 1,
            "signal": True, "id": 3}]
for _ in range(3):
    calls.call(message)
    arrived = there.cq.next(60)
    good = good and here.ends() and arrived.data == b"first" and arrived.imm == 1
tap(good, "messages are requests, too")

# ---- prepared
holes = [(0, "local"), (0, "remote"), (0, "length"), (0, "id")]
prepared = calls.prepare([put(0, 8, 2048, signal=True, id=1)], holes)
here.memory[:32] = bytes(range(32))
prepared.execute()
good = here.cq.next(60).context == 1 and there.memory[2048:2056] == bytes(range(8))
prepared.set(0, 16)
prepared.set(1, far(2100))
prepared.set(2, 16)
prepared.set(3, 99)
prepared.execute()
done = here.cq.next(60)
tap(good and done.context == 99 and there.memory[2100:2116] == bytes(range(16, 32)) and
    there.memory[2056:2100] == bytes(44), "a prepared call runs again with its holes filled")
evidence("F16", executed=counts("packed", "executed"), holes=len(holes))
tap([status_of(prepared.set, 4, 0), status_of(prepared.set, -1, 0), status_of(prepared.set, 2, 0),
     status_of(prepared.set, 0, 10**6),
     status_of(calls.prepare, [put(0, 8, 0)], [(1, "id")]),
     status_of(calls.prepare, [put(0, 8, 0)], [(0, "imm")]),
     status_of(calls.prepare, [put(0, 8, 0)], [(0, "colour")])] ==
    [tern.ST_BAD_ARGUMENT, tern.ST_BAD_ARGUMENT, tern.ST_BAD_LENGTH, tern.ST_BAD_RANGE,
     tern.ST_BAD_ARGUMENT, tern.ST_BAD_ARGUMENT, tern.ST_BAD_ARGUMENT],
    "holes that were not declared, or cannot be, are refused")

# ---- what is refused
lost = here.device.register(bytearray(64))
call_of_lost = [put(0, 8, 0, signal=True) | {"local": ((lost, 0, 8),)}]
calls.call(call_of_lost)
prepared_of_lost = calls.prepare(call_of_lost)
here.ends()
lost.release()
seen = bytes(there.memory)
segment = (here.region, 0, 8)
refusals = [
    (call_of_lost, tern.ST_STALE_POINTER),
    ([put(0, 8, 0), {"op": "fly", "remote": far(0)}], tern.ST_BAD_OPCODE),
    ([put(0, 8, 0), {"op": "put", "remote": far(0), "colour": 1}], tern.ST_BAD_ARGUMENT),
    ([{"op": "put", "local": (segment,)}], tern.ST_BAD_ARGUMENT),
    ([{"op": "put", "remote": far(0)}], tern.ST_BAD_LENGTH),
    ([put(0, 0, 0)], tern.ST_BAD_LENGTH),
    ([put(8192, 8, 0)], tern.ST_BAD_RANGE),
    ([{"op": "put", "remote": far(0), "local": (segment,) * 65}], tern.ST_BAD_LENGTH),
    ([put(0, 8, 0)] * 65, tern.ST_BAD_LENGTH),
    ([], tern.ST_BAD_LENGTH),
    ([{"op": "add", "remote": far(1), "value": 1}], tern.ST_BAD_ALIGN),
    ([{"op": "put", "remote": far(0), "data": b"x" * 33}], tern.ST_BAD_LENGTH)]
results = [status_of(calls.call, request) for request, _ in refusals]
tap(results == [status for _, status in refusals], "each bad request has its error")
try:
    calls.call([put(0, 8, 0), put(0, 8, 0), {"op": "fly", "remote": far(0)}])
except tern.Error as error:
    tap(error.request == 2, "the error names the request")
tap(raises(TypeError, calls.call, 7) and raises(TypeError, calls.call, [put(0, 8, 0) | {
    "local": ((1, 2, 3),)}]) and status_of(calls.call, [7]) == tern.ST_BAD_ARGUMENT,
    "what is no list of dicts is refused")
tap(status_of(prepared_of_lost.execute) == tern.ST_STALE_POINTER,
    "a prepared call with a released region is refused")
here.sq.put_inline(far(4000), b"behind")
tap(here.ends() and here.cq.poll() == [] and there.memory[4000:4006] == b"behind" and
    there.memory[:4000] == seen[:4000], "nothing of a refused call is posted")

# ---- random calls: what is found does what was asked for
chance = random.Random(7)
print("# seed 7")
small = tern.Calls(here.sq, log2_sets=1, fingerprint_bits=4, check_hits=True)
memory = [bytearray(256) for _ in range(3)]
regions = [here.device.register(m) for m in memory]
pool = [{} for _ in range(24)]


def renew(item):
    which = chance.randrange(3)
    length = 8 * chance.randrange(1, 5)
    item.clear()
    item.update(op="put", remote=far(8 * chance.randrange(512)),
                local=((regions[which], 8 * chance.randrange(28), length),), signal=True,
                id=chance.randrange(2**32))
    if chance.random() < 0.2:
        item.update(inline=True)


for item in pool:
    renew(item)
wrong = 0
rounds = 4000 if SOFT else 150
for turn in range(rounds):
    if chance.random() < 0.1:
        renew(chance.choice(pool))
    if chance.random() < 0.02:
        which = chance.randrange(3)
        regions[which].release()
        regions[which] = here.device.register(memory[which])
    item = pool[min(chance.randrange(24), chance.randrange(24))]
    region, offset, length = item["local"][0]
    if region not in regions:
        wrong += status_of(small.call, [item]) != tern.ST_STALE_POINTER
        renew(item)
        continue
    bytes_now = chance.randbytes(256)
    memory[regions.index(region)][:] = bytes_now
    small.call([item])
    done = here.cq.next(60)
    at = int.from_bytes(bytes(item["remote"])[:8], "little")
    base = int.from_bytes(bytes(far(0))[:8], "little")
    wrong += done.status != tern.ST_OK or done.context != item["id"]
    wrong += there.memory[at - base:at - base + length] != bytes_now[offset:offset + length]
figures = small.counts()
print("#", figures)
total = sum(figures[table]["unlike"] for table in figures)
tap(wrong == 0 and total == 0 and
    all(figures["lists"][name] for name in ("hits", "evicted", "invalidated", "collisions")),
    "no call of two tables is confused with another")
evidence("F8", calls=rounds, wrong=wrong, unlike=total,
         collisions=figures["lists"]["collisions"] + figures["packed"]["collisions"])
evidence("F12", evicted=figures["lists"]["evicted"])
evidence("F13", wrong=wrong, unlike=total, collisions=figures["lists"]["collisions"])
evidence("F14", wrong=wrong, invalidated=figures["lists"]["invalidated"])


# ---- memory
def grow(times):
    for _ in range(times):
        calls.call([put(0, 8, 0, signal=True)])
        here.ends()
        status_of(calls.call, [{"op": "fly"}])


grow(600 if SOFT else 100)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
grow(6000 if SOFT else 100)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print("# kilobytes", before, after)
tap(after - before < 1000, "calls that do not come again leave no memory in use")

here.sq.destroy()
tap(status_of(calls.call, [request]) == tern.ST_BAD_QUEUE and
    status_of(prepared.execute) == tern.ST_BAD_QUEUE,
    "from Python, too, a call is refused after its queue was destroyed")
end()
