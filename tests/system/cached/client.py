# SPDX-License-Identifier: Apache-2.0
"""usage: client.py PORT PORT SOCKET

Uses two front ends of one cache as a program in Python does, by the client pymemcache of Debian:
values, conditions, numbers, times, many keys at once, objects, a pool of connections, and errors.
Prints what differs from the expectation; exit status 1 then.
"""
import sys

from pymemcache import serde
from pymemcache.client.base import Client, PooledClient
from pymemcache.exceptions import MemcacheClientError, MemcacheIllegalInputError
from pymemcache.exceptions import MemcacheServerError

wrong = 0


def expect(what, got, wanted):
    global wrong
    if got != wanted:
        print(f"# {what}: {got!r}, not {wanted!r}")
        wrong += 1


def refused(what, call, kind):
    try:
        expect(what, call(), kind.__name__)
    except kind:
        pass


def values(one, two):
    expect("set", one.set("py", b"value"), True)
    expect("get at the other", two.get("py"), b"value")
    expect("get of nothing", one.get("py-none", default=b"no"), b"no")
    expect("add to a value", one.add("py", b"x", noreply=False), False)
    expect("replace", two.replace("py", b"next", noreply=False), True)
    expect("append", one.append("py", b"-end", noreply=False), True)
    expect("prepend", one.prepend("py", b"front-", noreply=False), True)
    expect("what that gives", two.get("py"), b"front-next-end")
    expect("delete", one.delete("py", noreply=False), True)
    expect("delete once more", two.delete("py", noreply=False), False)
    large = bytes(i * 7 % 256 for i in range(100000))
    expect("large value", (one.set("py-large", large), two.get("py-large") == large), (True, True))


def conditions(one, two):
    one.set("py-cas", b"1")
    value, number = one.gets("py-cas")
    expect("gets", value, b"1")
    expect("cas", two.cas("py-cas", b"2", number, noreply=False), True)
    expect("cas once more", one.cas("py-cas", b"3", number, noreply=False), False)
    expect("cas of nothing", one.cas("py-nothing", b"3", number, noreply=False), None)
    expect("what is there", one.get("py-cas"), b"2")


def numbers(one, two):
    one.set("py-n", b"10")
    expect("incr", two.incr("py-n", 5), 15)
    expect("decr", one.decr("py-n", 20), 0)
    expect("incr of nothing", one.incr("py-nothing", 1), None)
    one.set("py-text", b"text")
    refused("incr of text", lambda: one.incr("py-text", 1), MemcacheClientError)


def times(one, two):
    one.set("py-t", b"short", expire=1000)
    expect("touch", two.touch("py-t", 2000, noreply=False), True)
    one.set("py-over", b"over", expire=-1)
    expect("a value whose time is over", one.get("py-over"), None)


def many(one, two):
    pairs = {f"py-many-{i}": b"%d" % i for i in range(200)}
    expect("set_many", one.set_many(pairs, noreply=False), [])
    expect("get_many", two.get_many(list(pairs) + ["py-nothing"]), pairs)
    expect("delete_many", one.delete_many(list(pairs)), True)
    expect("none are left", two.get_many(list(pairs)), {})


def objects(first):
    with_objects = Client(("127.0.0.1", first), serde=serde.pickle_serde)
    thing = {"a": [1, 2.5, "three"], "b": None}
    with_objects.set("py-object", thing)
    expect("an object", with_objects.get("py-object"), thing)
    with_objects.set("py-int", 42)
    expect("its type comes from the flags", with_objects.get("py-int"), 42)
    with_objects.close()


def pool(first, socket):
    pooled = PooledClient(("127.0.0.1", first), max_pool_size=4)
    pooled.set("py-pool", b"pooled")
    expect("a pool", [pooled.get("py-pool") for _ in range(20)], [b"pooled"] * 20)
    pooled.close()
    by_socket = Client(socket)
    expect("the UNIX socket", by_socket.get("py-pool"), b"pooled")
    by_socket.close()


def errors(one):
    refused("a long key", lambda: one.get("k" * 251), MemcacheIllegalInputError)
    refused("a value over the limit", lambda: one.set("py-big", b"x" * 600000, noreply=False),
            MemcacheServerError)
    expect("which leaves the connection good", one.set("py", b"after"), True)
    expect("version", one.version().startswith(b"1.6."), True)
    expect("stats", int(one.stats()[b"curr_connections"]) >= 1, True)


def main():
    first, second, socket = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    one = Client(("127.0.0.1", first), timeout=120, default_noreply=False)
    two = Client(("127.0.0.1", second), timeout=120, default_noreply=False)
    for part in values, conditions, numbers, times, many:
        part(one, two)
    objects(first)
    pool(first, socket)
    errors(one)
    return 1 if wrong else 0


sys.exit(main())
