# SPDX-License-Identifier: Apache-2.0
"""The module without calls: devices, regions, operations, messages, lookups, errors, threads."""
import gc
import mmap
import threading

import tern
from rig import End, end, raises, status_of, tap

here, there = End("sim:0"), End("sim:1")
info = there.device.info()

# ---- operations
here.memory[:300] = bytes(range(150)) * 2
here.sq.put(there.region.pointer(1000), here.region, length=300, context=77)
done = here.cq.next(60)
tap(done.status == tern.ST_OK and done.context == 77 and
    there.memory[1000:1300] == here.memory[:300], "a put moves bytes of a region")
here.sq.put_inline(there.region.pointer(8), b"inline bytes", context=2**64 - 1)
done = here.cq.next(60)
tap(done.context == 2**64 - 1 and there.memory[8:20] == b"inline bytes",
    "an inline put moves bytes of any object")
there.memory[2000:2064] = b"x" * 64
here.sq.get(there.region.pointer(2000), here.region, offset=4000, length=64)
tap(here.ends() and here.memory[4000:4064] == b"x" * 64, "a get reads memory of another node")

word = there.region.pointer(4096)
values = []
for post, args in ((here.sq.fetch_add, (-1,)), (here.sq.fetch_add, (6,)),
                   (here.sq.compare_swap, (5, 2**63)), (here.sq.swap, (12,)),
                   (here.sq.masked, (tern.OP_TAKE, 0, 0, 1, 0xff))):
    post(word, *args)
    values.append(here.cq.next(60).value)
tap(values == [0, 2**64 - 1, 5, 2**63, 12] and there.memory[4096] == 13,
    "atomic operations bring the word as it was")

receiver = there.cq.rq(4, 7)
here.sq.send(info["node"], receiver.number, b"a message", imm=9)
arrived = there.cq.next(60)
tap(here.ends() and arrived.opcode == tern.OP_RECV and arrived.data == b"a message" and
    arrived.imm == 9, "a message arrives with its bytes")
good = True
for i in range(40):
    here.memory[:100] = bytes([i]) * 100
    here.sq.send(info["node"], receiver.number, here.region, length=100)
    good = good and here.ends() and there.cq.next(60).data == bytes([i]) * 100
tap(good, "messages of regions use the entries of the queue again and again")

table_region = there.device.register(mmap.mmap(-1, 8192), tern.REMOTE_READ)
table = tern.Table(table_region, 4)
table.set(b"auk", b"a sea bird")
table.set(b"gull", b"another")
table.remove(b"gull")
here.sq.lookup(table_region.pointer(), 4, b"auk", here.region, offset=4096, room=256)
done = here.cq.next(60)
found = tern.record(here.region, 4096, done.length, b"auk")
here.sq.lookup(table_region.pointer(), 4, b"gull", here.region, offset=4096, room=256)
tap(found == b"a sea bird" and here.ends(tern.ST_NOT_FOUND), "a lookup brings the value of a key")

# ---- pointers
pointer = there.region.pointer(16)
tap(tern.Pointer(bytes(pointer)) == pointer and tern.Pointer(str(pointer)) == pointer and
    pointer + 8 == there.region.pointer(24) and pointer.node == tern.node(1) and
    hash(pointer) == hash(tern.Pointer(str(pointer))), "a pointer travels as bytes and as text")

# ---- errors
stranger = tern.Pointer(bytes(pointer)[:8] + b"\x5a" * 4 + bytes(pointer)[12:])
here.sq.put_inline(stranger, b"x")
tap(here.cq.next(60).status not in (tern.ST_OK, tern.ST_TIMEOUT),
    "an operation that fails says so in its completion")
wrong = [status_of(tern.open, "sim:9"), status_of(tern.open, "bus:1"),
         status_of(here.sq.put, pointer, here.region, 8000, 1000),
         status_of(here.sq.put_inline, pointer, b"x" * 33),
         status_of(here.sq.compare_swap, pointer + 1, 0, 0),
         status_of(here.cq.next, 0.05), status_of(here.cq.sq, 99), status_of(here.cq.destroy)]
tap(wrong == [tern.ST_NO_DEVICE, tern.ST_BAD_ARGUMENT, tern.ST_BAD_RANGE, tern.ST_BAD_LENGTH,
              tern.ST_BAD_ALIGN, tern.ST_WAIT_EXPIRED, tern.ST_BAD_SIZE, tern.ST_QUEUE_BUSY],
    "each refusal has a status of its own")
error = tern.Error(tern.ST_AGAIN)
tap(error.status == tern.ST_AGAIN and error.request is None and "queue is full" in str(error) and
    isinstance(error, Exception), "an error has status and text")
tap(raises(TypeError, here.sq.put, 1, here.region) and raises(TypeError, tern.open) and
    raises(TypeError, here.sq.fetch_add, word, "7") and
    raises(OverflowError, here.sq.fetch_add, word, 2**64) and
    raises(BufferError, here.device.register, b"constant", tern.LOCAL_WRITE),
    "arguments of a wrong type are refused")
posted = 0
while status_of(here.sq.put_inline, pointer, b"x", posted) == tern.ST_OK:
    posted += 1
    if posted > 100000:
        break
full = status_of(here.sq.put_inline, pointer, b"x")
contexts = []
while len(contexts) < posted:
    contexts += [done.context for done in here.cq.poll()]
tap(full in (tern.ST_AGAIN, tern.ST_OK) and contexts[:posted] == sorted(contexts[:posted]),
    "a full queue asks to try again, and no completion is lost")
while here.cq.poll():
    pass

# ---- memory
tap(raises(BufferError, here.memory.extend, b"more"), "registered memory cannot move")
spare = bytearray(64)
region = here.device.register(spare)
region.release()
spare.extend(b"more")
tap(status_of(here.sq.put, pointer, region) == tern.ST_STALE_POINTER and
    status_of(region.pointer) == tern.ST_STALE_POINTER,
    "a region that was released is refused, and its memory is free")

# ---- threads
receiver_here = here.cq.rq(2, 5)
waker = receiver_here.number
woken = []
asleep = threading.Event()


def wait():
    asleep.set()
    woken.append(here.cq.next(60).data)


thread = threading.Thread(target=wait)
thread.start()
asleep.wait()
busy, turns = 0, 0
while busy != tern.ST_QUEUE_BUSY and thread.is_alive():
    turns += 1
    busy = status_of(here.cq.fileno)
closing = status_of(here.device.close)
for _ in range(100000):
    turns += 1
there.sq.send(here.device.info()["node"], waker, b"wake up")
there.ends()
thread.join()
tap(woken == [b"wake up"] and turns >= 100000 and busy == tern.ST_QUEUE_BUSY and
    closing == tern.ST_QUEUE_BUSY,
    "a thread that waits lets others run, and keeps its queue to itself")

# ---- the end
spare_queue = here.cq.sq(4)
spare_queue.destroy()
tap(status_of(spare_queue.put_inline, pointer, b"x") == tern.ST_BAD_QUEUE,
    "a queue that was destroyed is refused")
there.device.close()
with here.device as device:
    device.cycles()
tap([status_of(call) for call in (here.device.info, here.cq.poll, here.region.pointer,
                                  lambda: here.sq.put_inline(pointer, b"x"))] ==
    [tern.ST_DISCONNECTED] * 4, "after its device was closed every object says so")
del here, there, table, region, receiver, receiver_here, spare_queue
gc.collect()
again = End("sim:0")
again.sq.put_inline(again.region.pointer(), b"z")
tap(again.ends() and again.memory[0] == ord("z"), "a NIC opens again")
end()
