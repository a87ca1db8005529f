# SPDX-License-Identifier: Apache-2.0
#
# With two threads the sockets are served twice as often.
sh tests/sabotage/change.sh sim/sim.c <<'XX'
    sim->block = config->timing.link_latency;
    sim->block = config->timing.link_latency / (config->threads > 1 ? 2 : 1);
XX
