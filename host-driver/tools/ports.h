/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the ports of a node. */
#ifndef TERN_PORTS_H
#define TERN_PORTS_H

enum { TERN_PORTS = 6 };

static const char *const tern_port_names[TERN_PORTS] = {"X+", "X-", "Y+", "Y-", "Z+", "Z-"};

#endif
