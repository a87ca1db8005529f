# SPDX-License-Identifier: Apache-2.0
#
# usage: uncomment.awk FILE... | awk -v seed=N -v count=N -f mutate.awk
#
# Prints single faults as entries of a table of changes (tests/sabotage/changes.def). The seed draws
# them, from each area in turn, among all places of the area where an operator applies. Input is
# file:line:code; lines in which comments or strings were removed do not count.

# Draws the same numbers with any awk.
function draw(below) {
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * below)
}

function area_of(file) {
    if (file ~ /^fw\//) return "fw"
    if (file ~ /^host-driver\//) return "host-driver"
    if (file ~ /^sim\/soft\//) return "sim/soft"
    if (file ~ /^hw-model\/rtl\/nic\//) return "rtl/nic"
    if (file ~ /^hw-model\/rtl\/net\//) return "rtl/net"
    return ""
}

# Adds a candidate: the line with `from` at `at` replaced by `to`.
function add(from, to, at,    n) {
    n = ++places[area]
    file_of[area, n] = file
    old_of[area, n] = line
    new_of[area, n] = substr(line, 1, at - 1) to substr(line, at + length(from))
}

# Adds candidates for all places of `from`.
function swap(from, to,    at, begin) {
    for (begin = 1; (at = index(substr(line, begin), from)); begin += at + length(from) - 1)
        add(from, to, begin + at - 1)
}

# Adds candidates for !name and !(...), but not !=
function negations(    at, rest, begin) {
    for (begin = 1; match(substr(line, begin), /![A-Za-z_(]/); begin += RSTART)
        add("!", "", begin + RSTART - 1)
}

# Adds candidates that increase a number of C by one; numbers in hexadecimal or in SystemVerilog are
# mostly addresses and widths.
function numbers(    begin, number) {
    for (begin = 1; match(substr(line, begin), /[ (\[][0-9]+[;,) \]]/); begin += RSTART + RLENGTH - 2) {
        number = substr(line, begin + RSTART, RLENGTH - 2)
        add(number, number + 1, begin + RSTART)
    }
}

BEGIN {
    state = seed % 2147483646 + 1
    for (i = 0; i < 10; i++) draw(2)
    areas = split("fw host-driver sim/soft rtl/nic rtl/net", area_name, " ")
}

{
    split($0, part, ":")
    file = part[1]
    code = substr($0, length(part[1]) + length(part[2]) + 3)
    area = area_of(file)
    if (area == "") next
    # the line as it is in the file
    while (read[file] < part[2] && (getline line < file) > 0) read[file]++
    if (line != code || line ~ /^[ \t]*[#`]/ || line ~ /assert|include|typedef|^[ \t]*case|default:/) next
    is_c = file ~ /\.c$/
    swap(" < ", " <= "); swap(" > ", " >= "); swap(" >= ", " > ")
    swap(" == ", " != "); swap(" != ", " == ")
    swap(" && ", " || "); swap(" || ", " && ")
    swap(" + ", " - "); swap(" - ", " + ")
    swap(" & ", " | "); swap(" | ", " & ")
    swap(" << ", " >> "); swap(" >> ", " << ")
    negations()
    if (is_c) {
        swap(" <= ", " < ") # an assignment in SystemVerilog
        swap(" = true", " = false"); swap(" = false", " = true")
        swap("return true;", "return false;"); swap("return false;", "return true;")
        swap("++;", "--;"); swap(" += ", " -= "); swap(" |= ", " &= ")
        numbers()
        if (line ~ /^[ \t]+[a-z_][A-Za-z0-9_.>\[\]-]* [+|&-]?= .*;$/ || line ~ /^[ \t]+[a-z_]+\(.*\);$/) add(line, ";", 1)
    } else {
        swap("1'b1", "1'b0"); swap("1'b0", "1'b1"); swap(" ^ ", " | ")
        if (line ~ /^[ \t]+[a-z_]+_q(\[[^\]]*\])? <= .*;$/) add(line, ";", 1)
    }
}

END {
    for (i = 0; i < count; i++) {
        area = area_name[i % areas + 1]
        if (!places[area]) continue
        n = draw(places[area]) + 1
        printf "change mutant-%d-%d\nfile   %s\nold    %s\nnew    %s\n\n", seed, i + 1, file_of[area, n], old_of[area, n], new_of[area, n]
    }
}
