#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that there is no cycle of calls between files of the host driver, by the symbol tables of
# its objects, so that taking an address counts as a call; and that a floor of the library calls
# only the floors below.
set -u
. tests/check/lib.sh

B=${B:-build}
objects=$B/obj/driver
find "$objects" -name '*.o' 2> "$work/why" | sort > "$work/objects"
[ -s "$work/objects" ]
verdict $? "the objects of the driver are there"

# "file D symbol", "file U symbol", for files that still have a source.
while IFS= read -r object; do
    source=host-driver/${object#*/host-driver/}
    source=${source%.o}.c
    [ -f "$source" ] || continue
    nm -g "$object" | awk -v file="$source" '
        $(NF - 1) == "U" { print file, "U", $NF }
        $(NF - 1) ~ /^[TDBRW]$/ { print file, "D", $NF }'
done < "$work/objects" > "$work/symbols"

awk -f tests/check/cycles.awk "$work/symbols" > "$work/found"
empty "$work/found" "no cycle of calls between files of the host driver"

# The floors from the bottom up; folders on one line do not call each other.
cat > "$work/floors" <<'END'
1 host-driver/transport/
2 host-driver/core/device/
3 host-driver/core/queue/
4 host-driver/core/op/
5 host-driver/core/pair/
5 host-driver/core/group/
6 host-driver/data/slabs/
7 host-driver/data/table/
7 host-driver/data/tasks/
8 host-driver/services/pool/
8 host-driver/services/call/
8 host-driver/services/collective/
9 host-driver/services/alloc/
9 host-driver/services/cache/
10 host-driver/services/dag/
END
awk -v floors="$work/floors" '
    BEGIN { while ((getline line < floors) > 0) { split(line, part, " "); level[part[2]] = part[1] } }
    function floor_of(file,    folder) {
        folder = file
        sub(/[^\/]*$/, "", folder)
        return folder
    }
    $2 == "D" { home[$3] = $1 }
    $2 == "U" { calls[++n] = $1 " " $3 }
    !(floor_of($1) in level) { print $1 ": its folder has no row in tests/check/driver_calls.sh" }
    END {
        for (i = 1; i <= n; i++) {
            split(calls[i], part, " ")
            to = home[part[2]]
            if (to == "") continue
            from_floor = floor_of(part[1])
            to_floor = floor_of(to)
            if (from_floor != to_floor && level[to_floor] >= level[from_floor])
                print part[1] " calls " part[2] " of " to
        }
    }' "$work/symbols" | sort -u > "$work/found"
empty "$work/found" "no call between floors of the host driver points up"

echo "# files=$(cut -d ' ' -f 1 "$work/symbols" | sort -u | grep -c .) calls=$(grep -c ' U tern_' "$work/symbols")"
finish
