/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exits with 0 if it sees the device tern0, else with 1.  Linked statically, so nothing can be
 * preloaded into it, and dynamically.
 */
#include <unistd.h>

int main(void)
{
    return access("/sys/class/infiniband/tern0/node_type", R_OK) != 0;
}
