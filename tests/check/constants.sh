#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that constants of the contract are written only in hw-model/abi.
#
# It finds a second definition of a contract name; a register access with a literal offset; an
# address decoder with literal addresses; and literals that can only be constants of the contract
# (magic numbers, ids, bases of the memory map).
set -u
. tests/check/lib.sh

generated='^(hw-model/abi/.*|hw-model/rtl/abi/.*|linker/(full|lean)/memmap\.ld)$'
code_of '^(hw-model|fw|linker|host-driver|sim|examples|tests)/.*\.(c|h|S|ld|sv|svh|cpp)$' |
    awk -F: -v generated="$generated" '$1 !~ generated' > "$work/code"

# The names, as abigen prints them for SystemVerilog; in C they have the prefix TERN_.
"${B:-build}/abi/abigen" sv |
    sed -n 's/^ *localparam [^=]*[] ]\([A-Z][A-Z0-9_]*\) *= .*/\1/p' > "$work/names"
sed -n 's/^\(OP\|ADMIN\|PKT\)(\([A-Z0-9_]*\),.*/\1_\2/p' hw-model/abi/*.def >> "$work/names"
awk -v names="$work/names" '
    BEGIN { while ((getline name < names) > 0) known[name] = 1 }
    {
        code = $0
        sub(/^[^:]*:[0-9]*:/, "", code)
        name = ""
        if (match(code, /#[ \t]*define[ \t]+TERN_[A-Z0-9_]+/)) {
            name = substr(code, RSTART, RLENGTH)
            sub(/.*TERN_/, "", name)
        } else if (match(code, /TERN_[A-Z0-9_]+[ \t]*=[^=]/) && code !~ /[=!<>]=[ \t]*TERN_/) {
            name = substr(code, RSTART, RLENGTH)
            sub(/^TERN_/, "", name)
            sub(/[ \t]*=.$/, "", name)
        } else if (code ~ /localparam/ && code !~ /tern_abi_pkg::/ &&
                   match(code, /[A-Z][A-Z0-9_]*[ \t]*=/)) {
            name = substr(code, RSTART, RLENGTH)
            sub(/[ \t]*=$/, "", name)
        }
        if (name in known) print
    }' "$work/code" > "$work/found"
empty "$work/found" "no contract name is defined a second time"

# The offset is the only argument of a read with one argument, else the one after the device or
# base; a write with two arguments has it first.
awk '
    function figure(text) {
        gsub(/[ \t()]/, "", text)
        return text ~ /^(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*$/
    }
    {
        code = $0
        sub(/^[^:]*:[0-9]*:/, "", code)
        while (match(code, /[a-z0-9_]*(bar|reg|mmio|rd|wr)_?(read|write|rd|wr|32|64)[0-9]*[ \t]*\([^;]*/)) {
            call = substr(code, RSTART, RLENGTH)
            code = substr(code, RSTART + 1)
            name = call
            sub(/[ \t]*\(.*/, "", name)
            sub(/^[^(]*\(/, "", call)
            sub(/\).*/, "", call)
            n = split(call, argument, ",")
            is_write = name ~ /(wr|write)/
            place = is_write ? n - 1 : n
            if (place < 1) place = 1
            if (place > 2) place = 2
            if (figure(argument[place])) { print $0; break }
        }
    }' "$work/code" > "$work/found"
empty "$work/found" "no register is accessed by an offset in figures"

# The core decodes instructions, not registers.
grep -E '^hw-model/rtl/(nic|net|top|lib)/' "$work/code" |
    grep -E ":.*(\baddr|_addr|offset)[a-z0-9_]*(\[[^]]*\])? *(==|!=) *[0-9]+'[hd][0-9a-f]{2,}|^[^:]*:[0-9]*: *1[67]'h[0-9a-f_]+ *[,:]" \
    > "$work/found"
empty "$work/found" "no RTL decodes an address in figures"

# Distinctive values, with underscores removed: magic numbers, ids, bases.
sed -n 's/^CONST([A-Z0-9_]*\(MAGIC\|VENDOR\|DEVICE\), *\(0x[0-9a-f]*\),.*/\2/p' \
    hw-model/abi/const.def > "$work/values"
sed -n 's/^MEM([A-Z0-9_]*, *\(0x[0-9a-f]*\),.*/\1/p' hw-model/abi/memmap.def |
    grep -vxE '0x(0*|f+0*)' >> "$work/values" # nor those that are masks as well
rows=$(grep -c . "$work/values")
pattern=$(sed 's/^0x0*//' "$work/values" | paste -s -d '|' -)
# The core alone, and its tests, do not depend on the memory map.
grep -vE '^(hw-model/rtl/core|tests/core)/' "$work/code" |
    sed 's/\([0-9a-fA-F]\)_\([0-9a-fA-F]\)/\1\2/g' |
    grep -iE "^[^:]*:[0-9]*:.*(0x|'h)0*($pattern)([^0-9a-f]|$)" > "$work/found"
empty "$work/found" "no value that only the contract has is typed outside it"

echo "# evidence A3.5 lines=$(grep -c . "$work/code") names=$(grep -c . "$work/names") values=$rows"
[ "$rows" -gt 0 ] && [ -s "$work/names" ]
verdict $? "the contract was found and read"
finish
