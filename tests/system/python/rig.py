# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the module: TAP lines, and two NICs with their queues."""
import sys
import tern

SOFT = sys.argv[1:] == ["soft"]
_count = 0
_bad = 0


def tap(good, name):
    global _count, _bad
    _count += 1
    _bad += not good
    print("%sok %d - %s" % ("" if good else "not ", _count, name), flush=True)


def evidence(requirement, **values):
    print("# evidence", requirement, *["%s=%d" % pair for pair in values.items()], flush=True)


def end():
    print("1..%d" % _count)
    sys.exit(_bad > 0)


def status_of(function, *args, **names):
    """The status with which a call of the library fails, 0 if it does not."""
    try:
        function(*args, **names)
    except tern.Error as error:
        return error.status
    return tern.ST_OK


def raises(kind, function, *args, **names):
    try:
        function(*args, **names)
    except kind:
        return True
    return False


class End:
    """A NIC with memory that others may use in every way, and queues."""

    def __init__(self, uri, size=8192):
        rights = (tern.LOCAL_READ | tern.LOCAL_WRITE | tern.REMOTE_READ | tern.REMOTE_WRITE |
                  tern.REMOTE_ATOMIC)
        self.device = tern.open(uri)
        self.memory = bytearray(size)
        self.region = self.device.register(self.memory, rights)
        self.cq = self.device.cq(8)
        self.sq = self.cq.sq(7)

    def ends(self, status=tern.ST_OK):
        return self.cq.next(60).status == status
