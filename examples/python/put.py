# SPDX-License-Identifier: Apache-2.0
"""
Puts a text from the memory of one NIC into that of another (RDMA WRITE), without a process at the
target, and reads it back.

  tern sim --torus 4x1x1 &
  python3 put.py sim:0 sim:1 "hello"

This program opens both NICs, so the pointer needs no message; between two programs its 16 bytes
travel in any way: bytes(pointer), tern.Pointer(bytes).
"""
import sys
import tern


def main(here_uri, there_uri, text="hello over there"):
    with tern.open(here_uri) as here, tern.open(there_uri) as there:
        target = bytearray(256)
        target_region = there.register(target, tern.REMOTE_WRITE | tern.REMOTE_READ)

        source = bytearray(text.encode())
        source_region = here.register(source, tern.LOCAL_READ | tern.REMOTE_WRITE)
        completions = here.cq()
        queue = completions.sq()

        queue.put(target_region.pointer(), source_region)
        done = completions.next(timeout=60)
        if done.status != tern.ST_OK:
            raise tern.Error(done.status)
        print('the target holds "%s"' % target[:len(source)].decode())

        queue.get(target_region.pointer(), source_region)
        completions.next(timeout=60)
        print('and reading it gives "%s"' % source.decode())


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: put.py URI URI [TEXT]")
    try:
        main(*sys.argv[1:4])
    except tern.Error as error:
        sys.exit("put.py: %s" % error)
