#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The chip's text keeps to what Yosys and Verilator both read, and read alike.
# Benches are for Verilator alone and may do more.
set -u
. tests/check/lib.sh

rtl='^hw-model/.*\.svh?$'
code_of "$rtl" | grep -vE '^[^:]*(_bench|_tb)\.sv:' > "$work/code"

# complain NAME EXPRESSION: no line of code may match.
complain() {
    grep -E "$2" "$work/code" > "$work/found"
    empty "$work/found" "$1"
}

files "$rtl" | while IFS= read -r file; do
    grep -q '^`default_nettype none' "$file" || echo "$file"
done > "$work/implicit"
empty "$work/implicit" "every RTL file forbids implicit nets"

# Both tools accept these, and Yosys drops the dimension without a word.
complain "no RTL declares an array of a struct type" \
    ':.*\b[a-z0-9_]+_t +(\[|[a-zA-Z0-9_]+ *\[)'
complain "no RTL imports a package" ':.*\bimport\b'
complain "no RTL returns early" ':.*\b(return|break|continue)\b'
complain "no RTL uses an interface" '^[^:]*:[0-9]*: *(interface|modport)\b'
complain "no RTL has a type or string parameter" ':.*\bparameter +(type|string)\b'
complain "no RTL has a concurrent assertion" ':.*\b(assert|assume|cover) +property\b'
complain "no RTL uses inside, foreach or streaming" ':.*(\binside\b|\bforeach\b|\{ *(<<|>>))'

# Yosys reads ~W'(x) as (~W)'(x), and does not cut the difference of two casts to their width in
# a comparison.  Both give another circuit without a word; parentheses and a typed constant do not.
complain "no RTL has a unary operator before a size cast" \
    "[~!] *[A-Za-z_][A-Za-z0-9_:]*'\(|([=(,?:<>{]|&&|[|][|]) *[-+&|^] *[A-Za-z_][A-Za-z0-9_:]*'\("
complain "no RTL compares with a difference of size casts" \
    "(==|!=|<|>|<=|>=) *[A-Za-z0-9_]+'\([^()]*\) *- *[A-Za-z0-9_]+'\("

# A module that is not named like its file is not found by its name.
files "$rtl" | while IFS= read -r file; do
    base=$(basename "$file" | sed 's/\.svh\{0,1\}$//')
    awk -f tests/tools/uncomment.awk "$file" |
        sed -n 's/^[^:]*:[0-9]*: *\(module\|package\)  *\(automatic  *\)\{0,1\}\([a-zA-Z0-9_]*\).*/\3/p' |
        while IFS= read -r name; do
            [ "$name" = "$base" ] || echo "$file: holds $name"
        done
done > "$work/names"
empty "$work/names" "every RTL file holds the one module it is named for"
finish
