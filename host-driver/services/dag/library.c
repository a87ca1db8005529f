/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a shared object. */
#include <dlfcn.h>

#include "graph.h"

enum { FUNCTIONS_MAX = 4096 };

int tern_dag_library(const char *path, const struct tern_function **functions, char *why,
                     size_t bytes)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct tern_function *list = object ? dlsym(object, "tern_functions") : NULL;
    int count = 0;

    if (!list) {
        (void)graph_why(0, why, bytes, "%s", dlerror());
        if (object)
            (void)dlclose(object);
        return -TERN_ST_NOT_FOUND;
    }
    while (count < FUNCTIONS_MAX && list[count].name)
        count++;
    *functions = list;
    return count;
}
