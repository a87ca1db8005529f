/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replaces functions of the C library that call the kernel. A table says which descriptors are the
 * library's; calls for all others reach the C library. Spin locks are hooked because the provider
 * takes one whenever it looks at a queue and calls nothing else then.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inside.h"

#define API __attribute__((visibility("default")))

enum { DEVICE_MAJOR = 231, DEVICE_MINOR = 192 };

/* Finds the function that the hook replaces. */
#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) \
        real = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name)

/* ---- which descriptors belong to the library */

static struct {
    _Atomic(void *) object;
    _Atomic unsigned char kind;
} fds[VERBS_FDS];

static pid_t owner_pid;

__attribute__((constructor)) static void remember_process(void)
{
    owner_pid = getpid();
}

void fd_set_object(int fd, enum fd_kind kind, void *object)
{
    if (fd < 0 || fd >= VERBS_FDS)
        return;
    atomic_store(&fds[fd].object, object);
    atomic_store(&fds[fd].kind, (unsigned char)kind);
}

enum fd_kind fd_kind(int fd)
{
    if ((unsigned)fd >= VERBS_FDS)
        return FD_NONE;
    return (enum fd_kind)atomic_load_explicit(&fds[fd].kind, memory_order_relaxed);
}

void *fd_object(int fd)
{
    return atomic_load(&fds[fd].object);
}

void say_refused(const char *abi, unsigned number, int error)
{
    if (getenv("TERN_VERBS_DEBUG"))
        fprintf(stderr, "tern: %s command %u refused: %s\n", abi, number, strerror(error));
}

void fd_in_child(void)
{
    owner_pid = getpid();
}

int real_close(int fd)
{
    REAL(close);
    return real(fd);
}

ssize_t real_read(int fd, void *to, size_t bytes)
{
    REAL(read);
    return real(fd, to, bytes);
}

/* ---- the end of the process; one by exit() runs the library's destructor */

#define DEFINE_EXIT(name) \
    API void name(int status) \
    { \
        REAL(name); \
        if (getpid() == owner_pid) \
            nic_settle_all(); \
        real(status); \
        __builtin_unreachable(); \
    }

DEFINE_EXIT(_exit)
DEFINE_EXIT(_Exit)

/* ---- reading and writing */

static __attribute__((noinline)) ssize_t write_other(int fd, const void *from, size_t bytes)
{
    REAL(write);

    if (fd_kind(fd) == FD_CM)
        return cm_write(fd_object(fd), from, bytes);
    return real(fd, from, bytes);
}

API ssize_t write(int fd, const void *from, size_t bytes)
{
    if (fd_kind(fd) == FD_CONTEXT)
        return uverbs_write(fd_object(fd), from, bytes);
    return write_other(fd, from, bytes);
}

API ssize_t read(int fd, void *to, size_t bytes)
{
    enum fd_kind kind = fd_kind(fd);

    if (kind == FD_CHANNEL)
        return channel_read(fd_object(fd), to, bytes);
    if (kind == FD_NO_GID) {
        errno = EINVAL;
        return -1;
    }
    return real_read(fd, to, bytes);
}

API ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room);
API ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room)
{
    REAL(__read_chk);

    if (fd_kind(fd) == FD_CHANNEL)
        return channel_read(fd_object(fd), to, bytes < room ? bytes : room);
    return real(fd, to, bytes, room);
}

/*
 * A child of vfork() shares this memory, but not the descriptors: what it closes stays open in the
 * parent.
 */
API int close(int fd)
{
    enum fd_kind kind = fd_kind(fd);
    void *object;

    if (kind == FD_NONE || getpid() != owner_pid)
        return real_close(fd);
    object = fd_object(fd);
    fd_set_object(fd, FD_NONE, NULL);
    if (kind == FD_CONTEXT)
        context_close(object);
    else if (kind == FD_CM)
        cm_close(object);
    else if (kind == FD_CHANNEL)
        channel_drop(object);
    return real_close(fd);
}

/* Another descriptor for the same object. */
static int doubled(int fd, int copy)
{
    enum fd_kind kind = fd_kind(fd);

    if (copy < 0 || kind == FD_NONE)
        return copy;
    if (kind == FD_CONTEXT)
        ((struct verbs_context *)fd_object(fd))->opens++;
    else if (kind == FD_CHANNEL)
        (void)channel_hold(fd);
    else
        return copy;
    fd_set_object(copy, kind, fd_object(fd));
    return copy;
}

API int dup(int fd)
{
    REAL(dup);
    return doubled(fd, real(fd));
}

API int dup2(int fd, int copy)
{
    REAL(dup2);
    return doubled(fd, real(fd, copy));
}

API int dup3(int fd, int copy, int flags)
{
    REAL(dup3);
    return doubled(fd, real(fd, copy, flags));
}

#define DEFINE_FCNTL(name) \
    API int name(int fd, int command, ...) \
    { \
        va_list list; \
        void *argument; \
        int result; \
        REAL(name); \
        va_start(list, command); \
        argument = va_arg(list, void *); \
        va_end(list); \
        result = real(fd, command, argument); \
        return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? doubled(fd, result) : result; \
    }

DEFINE_FCNTL(fcntl)
DEFINE_FCNTL(fcntl64)

/* ---- opening */

static int open_ours(const char *path, bool *ours)
{
    char name[64];
    const char *device = sysview_device(path, name, sizeof(name));
    int fd = -1;

    *ours = true;
    if (device) {
        struct verbs_context *context = context_open(device);

        return context ? context->fd : -1;
    }
    if (sysview_is_cm(path)) {
        struct cm_channel *channel = cm_open(&fd);

        if (!channel)
            return -1;
        fd_set_object(fd, FD_CM, channel);
        return fd;
    }
    *ours = false;
    return -1;
}

/*
 * A kernel returns an error to reads of a GID that does not exist; the tree has an empty file in
 * its place.
 */
static int opened(const char *path, int fd)
{
    struct stat about;

    if (fd >= 0 && strstr(path, "/gid_attrs/") && !fstat(fd, &about) && !about.st_size &&
        S_ISREG(about.st_mode))
        fd_set_object(fd, FD_NO_GID, NULL);
    return fd;
}

#define OPEN_MODE(last) \
    mode_t mode = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
        va_list list; \
        va_start(list, last); \
        mode = va_arg(list, mode_t); \
        va_end(list); \
    }

#define DEFINE_OPEN(name)                                                                          \
    API int name(const char *path, int flags, ...)                                                 \
    {                                                                                              \
        char buffer[512];                                                                          \
        bool ours;                                                                                 \
        int fd = open_ours(path, &ours);                                                           \
        REAL(name);                                                                                \
        OPEN_MODE(flags)                                                                           \
        return ours ? fd                                                                           \
                    : opened(path, real(sysview_path(path, buffer, sizeof(buffer)), flags, mode)); \
    }

#define DEFINE_OPENAT(name)                                                                        \
    API int name(int dir, const char *path, int flags, ...)                                        \
    {                                                                                              \
        char buffer[512];                                                                          \
        bool ours;                                                                                 \
        int fd = open_ours(path, &ours);                                                           \
        REAL(name);                                                                                \
        OPEN_MODE(flags)                                                                           \
        return ours ? fd                                                                           \
                    : opened(path,                                                                 \
                             real(dir, sysview_path(path, buffer, sizeof(buffer)), flags, mode));  \
    }

DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

#define DEFINE_OPEN_2(name) \
    API int name(const char *path, int flags); \
    API int name(const char *path, int flags) \
    { \
        char buffer[512]; \
        bool ours; \
        int fd = open_ours(path, &ours); \
        REAL(name); \
        return ours ? fd : real(sysview_path(path, buffer, sizeof(buffer)), flags); \
    }

DEFINE_OPEN_2(__open_2)
DEFINE_OPEN_2(__open64_2)

/* ---- file type of a descriptor: a character device for fstat() */

static bool is_device(int fd)
{
    enum fd_kind kind = fd_kind(fd);

    return kind == FD_CONTEXT || kind == FD_CM;
}

static unsigned minor_of(int fd)
{
    return fd_kind(fd) == FD_CONTEXT
               ? DEVICE_MINOR + ((struct verbs_context *)fd_object(fd))->nic->index
               : 58;
}

#define DEFINE_FSTAT(name, type)                                                                   \
    API int name(int fd, struct type *out)                                                         \
    {                                                                                              \
        REAL(name);                                                                                \
        int status = real(fd, out);                                                                \
        if (!status && is_device(fd)) {                                                            \
            out->st_mode = (out->st_mode & ~(mode_t)S_IFMT) | S_IFCHR;                             \
            out->st_rdev =                                                                         \
                fd_kind(fd) == FD_CONTEXT ? makedev(DEVICE_MAJOR, minor_of(fd)) : makedev(10, 58); \
        }                                                                                          \
        return status;                                                                             \
    }

DEFINE_FSTAT(fstat, stat)
DEFINE_FSTAT(fstat64, stat64)

/* ---- spin locks: 0 free, 1 taken; higher values contain the number of the completion queue */

enum { SPIN_CQS = 4096 };
static _Atomic(struct verbs_cq *) spin_cqs[SPIN_CQS];
static __thread struct {
    struct verbs_cq *cq;
    uint64_t start;
    uint32_t bytes;
} expected;

static int spin_tag(struct verbs_cq *cq)
{
    for (int at = 1; at < SPIN_CQS; at++) {
        struct verbs_cq *none = NULL;

        if (atomic_compare_exchange_strong(&spin_cqs[at], &none, cq))
            return at << 1;
    }
    return 0;
}

static bool is_in(const pthread_spinlock_t *lock, uint64_t start, uint32_t bytes)
{
    return (uintptr_t)lock >= start && (uintptr_t)lock - start < bytes;
}

void spin_expect(struct verbs_cq *cq, uint64_t start, uint32_t bytes)
{
    expected.cq = cq;
    expected.start = start;
    expected.bytes = bytes;
}

void spin_forget(struct verbs_cq *cq)
{
    if (expected.cq == cq)
        expected.cq = NULL;
    for (unsigned at = 1; at < SPIN_CQS; at++)
        if (atomic_load(&spin_cqs[at]) == cq)
            atomic_store(&spin_cqs[at], NULL);
}

API int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    *lock = 0;
    if (expected.cq && is_in(lock, expected.start, expected.bytes)) {
        *lock = spin_tag(expected.cq);
        expected.cq = NULL;
    }
    return 0;
}

API int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    (void)lock;
    return 0;
}

/* `seen`: the word as last read. */
static bool spin_try(pthread_spinlock_t *lock, int seen)
{
    seen &= ~1;
    return __atomic_compare_exchange_n(lock, &seen, seen | 1, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

API int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    return spin_try(lock, __atomic_load_n(lock, __ATOMIC_RELAXED)) ? 0 : EBUSY;
}

API int pthread_spin_lock(pthread_spinlock_t *lock)
{
    int seen = __atomic_load_n(lock, __ATOMIC_RELAXED);

    if (seen > 1) {
        struct verbs_cq *cq = atomic_load_explicit(&spin_cqs[seen >> 1], memory_order_relaxed);

        if (cq)
            nic_poll(cq);
    }
    while (!spin_try(lock, __atomic_load_n(lock, __ATOMIC_RELAXED)))
        sched_yield();
    return 0;
}

API int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    __atomic_and_fetch(lock, ~1, __ATOMIC_RELEASE);
    return 0;
}
