#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Unmodified verbs programs between two nodes of the soft tier: a few of each kind.  tests/verbs/all_programs.sh has the rest.
. tests/verbs/verbs.sh
start_sim --torus 2x1x1

"$tern" run -- ibv_devices > "$dir/devices.log" 2>&1
[ "$(grep -c '^ *tern[01] ' "$dir/devices.log")" = 2 ]
tap $? "ibv_devices lists a device for each NIC"
"$tern" run -- ibv_devinfo -v -d tern1 > "$dir/info.log" 2>&1 && grep -q 'GID\[  1\]:.*10\.1\.0\.1, RoCE v2' "$dir/info.log" &&
    grep -q 'state:.*PORT_ACTIVE' "$dir/info.log"
tap $? "ibv_devinfo -v describes it"

"$tern" run -- "$B/tests/verbs/sees" && ! "$tern" run -- "$B/tests/verbs/sees_static"
tap $? "a program sees a device, and one that is linked statically does not"

runs ibv_rc_pingpong -c -n 50
runs ibv_rc_pingpong -c -e -n 50
runs ibv_uc_pingpong -c -n 50
runs ibv_ud_pingpong -c -n 50
runs ibv_srq_pingpong -c -e -n 50
runs ib_write_bw -n 50
runs ib_read_lat -e -n 50
runs ib_send_bw -n 50 -q 4
runs ib_send_lat -n 50 -c UD
runs ib_atomic_lat -n 50
runs_cm "rping -s -a 10.0.0.1 -C 5 -v" "rping -c -a 10.0.0.1 -C 5 -v"
runs_cm "ib_write_bw -F -R -n 50" "ib_write_bw -F -R -n 50 10.0.0.1"

# An address without a global route identifies no node: EINVAL at RTR, as in the manual.
next_port
"$tern" run -- ibv_rc_pingpong -d tern0 -p $port > "$dir/server.log" 2>&1 &
server=$!
while ! listening $port && kill -0 $server 2> /dev/null; do
    sleep 0.05
done
timeout "$limit" "$tern" run -- ibv_rc_pingpong -d tern1 -p $port localhost > "$dir/client.log" 2>&1
ended=$?
wait $server
[ $? != 0 ] && [ $ended != 0 ] && grep -q 'Failed to modify QP to RTR' "$dir/client.log" "$dir/server.log"
tap $? "a connection without a GID is refused at RTR"
server=
done_testing
