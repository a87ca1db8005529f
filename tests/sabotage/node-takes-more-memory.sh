# SPDX-License-Identifier: Apache-2.0
#
# The host port of a node has sixteen times the memory for writes, and uses all of it.
sh tests/sabotage/change.sh sim/node/hostport.c <<'XX'
    port->writes = calloc(TERN_WRITES_MAX, sizeof *port->writes);
    port->writes = malloc(16 * TERN_WRITES_MAX * sizeof *port->writes); memset(port->writes, 1, 16 * TERN_WRITES_MAX * sizeof *port->writes);
XX
