#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the chip's source uses only constructs that Yosys and Verilator both support, with the
# same meaning. Benches are for Verilator alone and may use more.
set -u
. tests/check/lib.sh

rtl='^hw-model/.*\.svh?$'
code_of "$rtl" | grep -vE '^[^:]*(_bench|_tb)\.sv:' > "$work/code"

# complain NAME EXPRESSION: checks that no line of code matches.
complain() {
    grep -E "$2" "$work/code" > "$work/found"
    empty "$work/found" "$1"
}

files "$rtl" | while IFS= read -r file; do
    grep -q '^`default_nettype none' "$file" || echo "$file"
done > "$work/implicit"
empty "$work/implicit" "every RTL file forbids implicit nets"

# Both tools accept these, and Yosys ignores the dimension without a message.
complain "no RTL declares an array of a struct type" \
    ':.*\b[a-z0-9_]+_t +(\[|[a-zA-Z0-9_]+ *\[)'
complain "no RTL imports a package" ':.*\bimport\b'
complain "no RTL returns early" ':.*\b(return|break|continue)\b'
complain "no RTL uses an interface" '^[^:]*:[0-9]*: *(interface|modport)\b'
complain "no RTL has a type or string parameter" ':.*\bparameter +(type|string)\b'
complain "no RTL has a concurrent assertion" ':.*\b(assert|assume|cover) +property\b'
complain "no RTL uses inside, foreach or streaming" ':.*(\binside\b|\bforeach\b|\{ *(<<|>>))'

# Yosys reads ~W'(x) as (~W)'(x). It also gives a cast of a constant 32 bits when the other operand
# is a constant, which matters where a width counts: in a comparison, a concatenation, a shift to
# the right. In both cases it builds another circuit without a message. Parentheses avoid the first,
# a typed localparam the second. The check looks at whole statements, since a line may end with an
# operator.
awk '
    function flush() { if (text != "") print place text; text = "" }
    {
        match($0, /^[^:]*:[0-9]*:/)
        if (text == "") place = substr($0, 1, RLENGTH)
        text = text " " substr($0, RLENGTH + 1)
        if (text ~ /([;,]|begin|end|else|\)) *$|`/ && text !~ /[-+*&|^~!=<>?:(] *$/) flush()
    }
    END { flush() }' "$work/code" > "$work/statements"

refuse() {
    grep -E "$2" "$work/statements" > "$work/found"
    empty "$work/found" "$1"
}

name="[A-Za-z0-9_\`\$][A-Za-z0-9_:\`]*"
size="($name|\\([^()]*\\))"
refuse "no RTL has a unary operator before a size cast" \
    "([~!]|~[&|^]|\\^~) *$size'\\(|([(=[,?:<>{+*/%]|&&|[|][|]|[-&|^] ) *[-+&|^] *$size'\\("

atom="([A-Z][A-Za-z0-9_]*|[a-z_]+_pkg::[A-Za-z0-9_]+|[0-9]+|[-+*/% ])"
fixed="($atom|\\($atom+\\))+"
cast="[A-Za-z0-9_:]+'\\($fixed\\)"
constant="([a-z_]+_pkg::[A-Za-z0-9_]+|[A-Z][A-Za-z0-9_]*|[0-9]+('s?[bdh][0-9a-fA-F_]+)?|$cast)"
between="(-|[+]|[*]|<<<?|>>>?|&|[|]|\\^|%|/)"
pair="([~] *\\($cast\\)|$cast *$between *$constant|$constant *$between *$cast)"
refuse "no RTL compares with a sum or difference of cast constants" \
    "(==|!=|>=|[^<]<|[^>-]>|(if|assert|while|[?(]|&&|[|][|]) .*<=) *\\(*$pair|$pair *\\)* *(==|!=|>=|<=|<[^<]|>[^>])"
refuse "no RTL concatenates a sum or difference of cast constants" "\\{([^{}]*,)? *\\(*$pair *\\)* *[,}]"

# Code that is synthesised but not simulated may have errors for months.
files "$rtl" | grep -vE '(_bench|_tb)\.sv$|^hw-model/(formal|lint)/' | while IFS= read -r file; do
    awk -f tests/check/branches.awk "$file"
done > "$work/branches"
empty "$work/branches" "no RTL has a branch that no simulation runs"

# The tools find a module by its file name.
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
