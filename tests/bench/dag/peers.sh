#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Empty tasks by `tern dag` on the soft tier, by GNU make and by Dask, one after the other on this
# machine with two workers each. Prints microseconds for a task, and ratios. TASKS=10000.
set -u
TIER=soft
export TIER
. tests/system/demo/nics.sh
tasks=${TASKS:-10000}
root=$(pwd)
case $tern in /*) ;; *) tern=$root/$tern ;; esac
end_others() { :; }

now_us() { echo $(($(date +%s%N) / 1000)); }

# timed NAME COMMAND...: sets us to microseconds for a task.
timed() {
    name=$1
    shift
    began=$(now_us)
    "$@" > "$dir/$name.log" 2>&1 || { echo "peers.sh: $name failed" >&2; cat "$dir/$name.log" >&2; exit 1; }
    us=$((($(now_us) - began) / tasks))
    echo "$name: $us us a task"
}

ratio() { awk -v a="$2" -v b="$3" -v what="$1" 'BEGIN { printf "%s: %.1f\n", what, a / (b ? b : 1) }'; }

mkdir "$dir/work"
cd "$dir/work" || exit 1
awk -v n="$tasks" 'BEGIN { printf "all:"; for (i = 1; i <= n; i++) printf " t%d", i; print "\n\t@:"
    for (i = 1; i <= n; i++) printf "t%d:\n\t@:\n", i }' > Makefile
awk -v n="$tasks" 'BEGIN { printf "{\"schemaVersion\":\"1.5\",\"workflow\":{\"specification\":{\"tasks\":["
    for (i = 1; i <= n; i++) printf "%s{\"id\":\"t%d\",\"parents\":[]}", (i > 1 ? ",\n" : ""), i; print "]}}}" }' > flow.json
cat > peer.py <<'PY'
import sys
from dask.distributed import Client, LocalCluster

def nothing(i):
    return None

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            client.gather(client.map(nothing, range(int(sys.argv[1])), pure=False))
PY
cd "$root" || exit 1
start_sim --torus 2x1x1
cd "$dir/work" || exit 1
timed make make -s -j2
make=$us
timed tern_functions "$tern" dag run sim:1 flow.json --workers 2 --lease 20000
functions=$us
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import distributed' 2> /dev/null || python=$p
done
if [ -n "$python" ]; then
    timed dask $python peer.py "$tasks"
    ratio "functions: tern to Dask" "$functions" "$us"
else
    echo "dask: python3-distributed is not installed"
fi
timed tern_commands "$tern" dag run sim:0 Makefile --workers 2 --lease 20000
commands=$us
ratio "commands: tern to GNU make" "$commands" "$make"
