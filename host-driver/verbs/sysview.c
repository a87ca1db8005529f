/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The system as programs see it: paths below /sys/class/infiniband* and /dev/infiniband lead into a
 * folder made by `tern run` ($TERN_VERBS_TREE), and programs cannot get a socket to ask the kernel
 * for RDMA devices.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "inside.h"

#define API __attribute__((visibility("default")))
#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) \
        real = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name)

static const char *tree(void)
{
    static const char *found;

    if (!found)
        found = getenv("TERN_VERBS_TREE");
    return found;
}

static bool begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

const char *sysview_path(const char *path, char *buffer, size_t bytes)
{
    const char *root = tree();
    int length;

    if (!root || !path || path[0] != '/' ||
        (!begins(path, "/sys/class/infiniband") && !begins(path, "/dev/infiniband") &&
         !begins(path, "/sys/class/misc/rdma_cm")))
        return path;
    length = snprintf(buffer, bytes, "%s%s", root, path);
    return length < 0 || (size_t)length >= bytes ? path : buffer;
}

const char *sysview_device(const char *path, char *buffer, size_t bytes)
{
    unsigned index;
    char rest;

    if (!path || !tree() || sscanf(path, "/dev/infiniband/uverbs%u%c", &index, &rest) != 1)
        return NULL;
    snprintf(buffer, bytes, "tern%u", index);
    return buffer;
}

bool sysview_is_cm(const char *path)
{
    return path && tree() && !strcmp(path, "/dev/infiniband/rdma_cm");
}

/* ---- functions that take a path */

#define REDIRECT(path)                                                                             \
    char redirect_buffer[512];                                                                     \
    const char *to = sysview_path(path, redirect_buffer, sizeof(redirect_buffer))

/* Reports a file of the tree as a character device. */
static void as_device(const char *path, mode_t *mode, dev_t *device)
{
    unsigned index;

    if (!tree() || !begins(path, "/dev/infiniband/"))
        return;
    *mode = (*mode & ~(mode_t)S_IFMT) | S_IFCHR;
    if (sscanf(path, "/dev/infiniband/uverbs%u", &index) == 1)
        *device = makedev(231, 192 + index);
    else
        *device = makedev(10, 58);
}

#define DEFINE_STAT(name, type) \
    API int name(const char *path, struct type *out) \
    { \
        REAL(name); \
        REDIRECT(path); \
        int status = real(to, out); \
        if (!status && to != path) \
            as_device(path, &out->st_mode, &out->st_rdev); \
        return status; \
    }

DEFINE_STAT(stat, stat)
DEFINE_STAT(stat64, stat64)
DEFINE_STAT(lstat, stat)
DEFINE_STAT(lstat64, stat64)

#define DEFINE_FSTATAT(name, type) \
    API int name(int dir, const char *path, struct type *out, int flags) \
    { \
        REAL(name); \
        REDIRECT(path); \
        int status = real(dir, to, out, flags); \
        if (!status && to != path) \
            as_device(path, &out->st_mode, &out->st_rdev); \
        return status; \
    }

DEFINE_FSTATAT(fstatat, stat)
DEFINE_FSTATAT(fstatat64, stat64)

API int statx(int dir, const char *restrict path, int flags, unsigned mask,
              struct statx *restrict out)
{
    REAL(statx);
    REDIRECT(path);
    int status = real(dir, to, flags, mask, out);

    if (!status && to != path) {
        mode_t mode = out->stx_mode;
        dev_t device = makedev(out->stx_rdev_major, out->stx_rdev_minor);

        as_device(path, &mode, &device);
        out->stx_mode = (uint16_t)mode;
        out->stx_rdev_major = major(device);
        out->stx_rdev_minor = minor(device);
    }
    return status;
}

API int access(const char *path, int mode)
{
    REAL(access);
    REDIRECT(path);
    return real(to, mode);
}

API int faccessat(int dir, const char *path, int mode, int flags)
{
    REAL(faccessat);
    REDIRECT(path);
    return real(dir, to, mode, flags);
}

API FILE *fopen(const char *restrict path, const char *restrict mode)
{
    REAL(fopen);
    REDIRECT(path);
    return real(to, mode);
}

API FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    REAL(fopen64);
    REDIRECT(path);
    return real(to, mode);
}

API DIR *opendir(const char *path)
{
    REAL(opendir);
    REDIRECT(path);
    return real(to);
}

API int scandir(const char *restrict path, struct dirent ***restrict list,
                int (*keep)(const struct dirent *),
                int (*order)(const struct dirent **, const struct dirent **))
{
    REAL(scandir);
    REDIRECT(path);
    return real(to, list, keep, order);
}

API ssize_t readlink(const char *restrict path, char *restrict text, size_t bytes)
{
    REAL(readlink);
    REDIRECT(path);
    return real(to, text, bytes);
}

API char *realpath(const char *restrict path, char *restrict out)
{
    REAL(realpath);
    REDIRECT(path);
    return real(to, out);
}

/* ---- how libibverbs finds devices */

/* If the kernel answered that it has no RDMA devices, libibverbs would never look at the files. */
API int socket(int domain, int type, int protocol)
{
    REAL(socket);

    if (tree() && domain == AF_NETLINK && protocol == NETLINK_RDMA) {
        errno = EPROTONOSUPPORT;
        return -1;
    }
    return real(domain, type, protocol);
}

/* The provider selects devices by name; this gives it those of tern. */
API int fnmatch(const char *pattern, const char *text, int flags)
{
    REAL(fnmatch);

    if (tree() && begins(text, "rdma_device:Ntern") && strstr(pattern, "Nrxe"))
        return 0;
    return real(pattern, text, flags);
}

struct ibv_context;
struct ibv_ah_attr;
API int ibv_resolve_eth_l2_from_gid(struct ibv_context *context, struct ibv_ah_attr *attr,
                                    uint8_t mac[6], uint16_t *vlan);

/*
 * A node has no Ethernet address: the last bytes of its GID replace it; `attr` begins with the GID.
 */
API int ibv_resolve_eth_l2_from_gid(struct ibv_context *context, struct ibv_ah_attr *attr,
                                    uint8_t mac[6], uint16_t *vlan)
{
    (void)context;
    memset(mac, 2, 6);
    memcpy(mac + 2, (const uint8_t *)attr + 12, 4);
    if (vlan)
        *vlan = 0xffff;
    return 0;
}
