/* SPDX-License-Identifier: Apache-2.0 */
/* The description of the core for gdb: its registers, in gdb's numbering. */
#ifndef TERN_SIM_DESCRIBE_H
#define TERN_SIM_DESCRIBE_H

#include <stddef.h>

/* Registers 0 to 31 and the pc come first, then the CSRs. */
enum { TERN_DESCRIBE_CSRS = 14 };

struct tern_describe_csr {
    const char *name;
    unsigned number; /* as in csrr */
};

extern const struct tern_describe_csr tern_describe_csrs[TERN_DESCRIBE_CSRS];

/* Returns the target description in XML, always the same text. */
const char *tern_describe_xml(size_t *bytes);

#endif
