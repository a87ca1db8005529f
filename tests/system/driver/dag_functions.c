/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of graphs of tasks in a shared object, which a test loads. */
#include <string.h>

#include <tern/dag.h>

static int expects(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    (void)attempt;
    return bytes == 8 && !memcmp(arg, "expected", 8) ? 0 : -1;
}

__attribute__((visibility("default"))) extern const struct tern_function tern_functions[];
const struct tern_function tern_functions[] = {{"expects", expects}, {NULL, NULL}};
