#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves that hw-model/lint/constants.v keeps the meaning of arithmetic with constants. Then breaks
# it and expects the proof to fail. Prints TAP. Run from the project root.
set -u

maps=hw-model/lint/constants.v
out=${B:-build}/formal/constants
mkdir -p "$out"
count=0 failed=0

# Comparisons of many widths and constants, sums and differences of few bits.
{
    echo "module sums(input [31:0] a, input [31:0] b, output [7:0] y0,"
    echo "    output [7:0] y1, y2, y3, output signed [7:0] y4, output [5:0] y5, output [3:0] y6, y7, y8, y9);"
    echo "  assign y0 = a[6:0] + 7'd77, y1 = a[7:0] - 8'd9, y2 = 8'd200 - a[7:0], y3 = a[7:0] + 8'd1;"
    echo "  assign y4 = \$signed(a[4:0]) + 8'sd3, y5 = a[5:0] + 6'd63;"
    echo "  assign y6 = a[3:0] + b[3:0], y7 = a[3:0] - b[3:0], y8 = \$signed(a[2:0]) + b[3:0];"
    echo "  assign y9 = {a[4:0] < b[4:0], a[4:0] <= b[4:0], a[3:0] > b[4:0], a[4:0] >= b[3:0]};"
    echo "endmodule"
} > "$out/sums.v"
awk 'BEGIN {
    n = 0
    for (w = 5; w <= 32; w += 3)
        for (k = 0; k < 5; k++) {
            at = k == 0 ? 0 : k == 1 ? 2 ^ w - 1 : k == 2 ? 2 ^ (w - 1) : int(2 ^ w / (k + 0.7))
            split("< <= > >=", op, " ")
            for (o = 1; o <= 4; o++) {
                left[n++] = sprintf("a[%d:0] %s %d\047d%.0f", w - 1, op[o], w, at)
                left[n++] = sprintf("%d\047d%.0f %s a[%d:0]", w, at, op[o], w - 1)
            }
        }
    printf "module compares(input [31:0] a, output [%d:0] y);\n", n - 1
    for (i = 0; i < n; i++) printf "  assign y[%d] = %s;\n", i, left[i]
    print "endmodule"
}' > "$out/compares.v"

# same MODULE MAPS: 0 proved, 1 refuted, 2 no answer, or an unmapped cell is left.
same() {
    ${YOSYS:-yosys} -q -l "$out/log" -p "
        read_verilog -sv $out/$1.v; prep -top $1; copy $1 logic; rename $1 plain;
        cd logic; alumacc t:\$add t:\$sub; techmap -map $2; opt_clean;
        select -assert-none t:\$alu t:\$lt t:\$le t:\$gt t:\$ge; cd ..;
        miter -equiv -flatten plain logic both; hierarchy -top both;
        sat -verify -prove trigger 0 both" > "$out/out" 2>&1 && return 0
    grep -q 'proof did fail' "$out/log" && return 1
    return 2
}

# verdict NAME WANTED GOT
verdict() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        tail -n 5 "$out/out" | sed 's/^/# /'
        failed=1
    fi
}

# proof MODULE BROKEN: proves the module, and refutes it with one term of the maps changed.
proof() {
    same "$1" "$maps"
    verdict "$1 with constants are the same as logic" 0 $?
    sed "$2" "$maps" > "$out/broken.v"
    cmp -s "$maps" "$out/broken.v" && { verdict "$1 broken" 1 3; return; }
    same "$1" "$out/broken.v"
    verdict "$1, one term changed, is refuted" 1 $?
}

proof compares 's/|| high) \&\& yes/|| high) || yes/'
proof sums 's/|| c\[i\]) \&\& carry/|| c[i]) || carry/'
echo "1..$count"
exit $failed
