#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compares calls with a full build each time: instructions of the host by callgrind, cycles on rtl.  From Python a call of one request that is found takes at most 75 % of the instructions, one of
# eight 50 %; from C only executing a prepared call has a bar.
set -u
. tests/check/tap.sh

B=${B:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=1
[ -f "$B/python/tern.so" ] || python=0

sh tests/bench/calls/calls.sh 1 8 > "$work/out" 2>&1
ended=$?
grep '^#' "$work/out"
[ $ended = 0 ] || sed 's/^/# /' "$work/out"
verdict $ended "the measurement completes"

# percent LANGUAGE PART REQUESTS: instructions over those of a full build.
percent() {
    awk -v id="bench call_$1_$2" -v build="bench call_$1_build" -v requests="requests=$3" '
        $NF == requests && $1 " " $2 == id { part = $3 }
        $NF == requests && $1 " " $2 == build { all = $3 }
        END { printf "%d\n", all ? 100 * part / all + 0.999 : 999 }' "$work/out"
}

c_one=$(percent c execute 1) c_eight=$(percent c execute 8)
[ "$c_one" -le 75 ] && [ "$c_eight" -le 60 ]
verdict $? "from C executing a prepared call takes less than building it"
echo "# evidence F10 c_execute_1=$c_one c_execute_8=$c_eight c_hit_1=$(percent c hit 1) c_hit_8=$(percent c hit 8)"

if [ $python = 1 ]; then
    one=$(percent python hit 1) eight=$(percent python hit 8)
    [ "$one" -le 75 ] && [ "$eight" -le 50 ]
    verdict $? "from Python a call that is found takes less than building it"
    echo "# evidence F10 python_hit_1=$one python_hit_8=$eight"
else
    tap_number=$((tap_number + 1))
    echo "ok $tap_number - from Python a call that is found takes less than building it # SKIP no module"
fi

# The host takes no time here: the same descriptors take the same cycles, however they were made.
cycles=$(sed -n 's/^bench call_first_beat_[a-z]* \([0-9]*\) cycles requests=1$/\1/p' "$work/out" | sort -u | tr '\n' ' ')
[ "$(echo "$cycles" | wc -w)" = 1 ]
verdict $? "the first beat leaves after the same cycles, however the call was made"
echo "# evidence F10 first_beat_cycles=$cycles"
finish
