/* SPDX-License-Identifier: Apache-2.0 */
/* Exit codes of the `tern` command: EXIT_DONE, EXIT_BAD, EXIT_USAGE. */
#ifndef TERN_EXITS_H
#define TERN_EXITS_H

enum tern_exit {
#define EXIT_CODE(name, value, text) EXIT_##name = (value),
#include "exits.def"
#undef EXIT_CODE
};

#endif
