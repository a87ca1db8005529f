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

# Yosys reads ~W'(x) as (~W)'(x).  And a cast of a constant that meets another constant has 32 bits
# there, which shows wherever a width counts: in a comparison, a concatenation, a shift to the right.
# Both give another circuit without a word.  Parentheses help the first, a typed localparam the second.
# Statements are looked at whole, for an operator may end a line.
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

# Text that is synthesised and that no simulation runs may be wrong for months.
files "$rtl" | grep -vE '(_bench|_tb)\.sv$|^hw-model/(formal|lint)/' | while IFS= read -r file; do
    awk -f tests/check/branches.awk "$file"
done > "$work/branches"
empty "$work/branches" "no RTL has a branch that no simulation runs"

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
