# SPDX-License-Identifier: Apache-2.0
#
# Computes the worst-case stack of the firmware from its disassembly.
#
# usage: awk -v root=FUNCTION -f stack.awk CALLS DISASSEMBLY; CALLS: what calls.sh prints
#
# Prints the bytes and the deepest chain. Errs on the safe side: a tail call counts like a call, and
# frames of functions with one name (copies of an inline one) are added. Errors: recursion, a frame
# of variable size, a call through a pointer without a row, a callee outside the program.

function fail(text) { print "stack: " text > "/dev/stderr"; failed = 1; exit 1 }

function edge(from, to) {
    if (to != from && !((from, to) in seen)) {
        seen[from, to] = 1
        callees[from] = callees[from] " " to
    }
}

# Returns the name in angle brackets, if without an offset. Otherwise returns "": the target is
# inside the function, or has the value of a linker symbol (in capitals).
function target(line,    name) {
    if (!match(line, /<[^>]*>/))
        return ""
    name = substr(line, RSTART + 1, RLENGTH - 2)
    return name ~ /\+/ || name ~ /^[A-Z_]+$/ ? "" : name
}

function depth(f,    i, n, list, best, d, where) {
    if (f in known)
        return known[f]
    if (f in open)
        fail("recursion through " f)
    if (!(f in frame))
        fail("no function " f)
    open[f] = 1
    best = 0
    n = split(callees[f], list, " ")
    for (i = 1; i <= n; i++) {
        d = depth(list[i])
        if (d > best) {
            best = d
            where = list[i]
        }
    }
    delete open[f]
    deepest[f] = where
    return known[f] = frame[f] + best
}

FNR == NR {
    if (match($0, /^CALLS\("[^"]*", "[^"]*"\)/)) {
        split($0, part, "\"")
        pointers[part[2]] = part[4]
    }
    next
}

/^[0-9a-f]+ <.*>:$/ {
    f = substr($2, 2, length($2) - 3)
    frame[f] += 0
    next
}

# Shared prologues of the library: 16 bytes for each four registers.
/__riscv_save_/ && /jal/ {
    match($0, /save_[0-9]+/)
    frame[f] += 16 * (int(substr($0, RSTART + 5, RLENGTH - 5) / 4) + 1)
    next
}

$2 ~ /^(add|addi|c\.addi16sp)$/ && $3 ~ /^sp,sp,-/ {
    split($3, part, ",")
    frame[f] -= part[3]
    next
}
f !~ /^__riscv/ && $2 ~ /^(add|sub)$/ && $3 ~ /^sp,/ && $3 !~ /^sp,(sp|s0),-?[0-9]+$/ { fail("frame of variable size in " f) }

$2 ~ /^(jr|jalr)$/ && $3 !~ /^(ra|t0)$/ {
    # auipc and jalr: a far call whose target objdump has computed.
    if (target($0) != "") {
        edge(f, target($0))
        next
    }
    if (f !~ /^__riscv/)
        indirect[f] = 1
    next
}
$2 ~ /^(jal|j|c\.j|c\.jal|b[a-z]+)$/ && target($0) != "" && target($0) !~ /__riscv_restore/ { edge(f, target($0)) }

END {
    if (failed)
        exit 1
    for (f in indirect) {
        if (!(f in pointers))
            fail("a call through a pointer in " f ", which calls.sh has no row for")
        n = split(pointers[f], list, " ")
        for (i = 1; i <= n; i++)
            if (list[i] in frame)
                edge(f, list[i])
    }
    total = depth(root)
    chain = root
    for (f = root; deepest[f] != ""; f = deepest[f])
        chain = chain " " deepest[f] "(" frame[deepest[f]] ")"
    print total, chain
}
