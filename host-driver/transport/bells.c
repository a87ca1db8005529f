/* SPDX-License-Identifier: Apache-2.0 */
/* See bells.h. */
#define _GNU_SOURCE
#include "bells.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tern_abi.h"

static uint8_t *entry_of(const struct vfu_bells *bells, uint32_t number)
{
    return bells->base + TERN_BELLS_ENTRIES_AT +
           (size_t)(number % TERN_BELLS_ENTRIES) * TERN_BELLS_ENTRY_BYTES;
}

static uint32_t *word_at(uint8_t *base, uint32_t offset)
{
    return (uint32_t *)(void *)(base + offset);
}

/* A child after fork() does not inherit the memory, so its writes never reach the simulator. */
static bool map(struct vfu_bells *bells, int fd)
{
    void *base = mmap(NULL, TERN_BELLS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (base == MAP_FAILED)
        return false;
    if (madvise(base, TERN_BELLS_BYTES, MADV_DONTFORK)) {
        munmap(base, TERN_BELLS_BYTES);
        return false;
    }
    bells->base = base;
    for (uint32_t i = 0; i < TERN_BELLS_ENTRIES; i++)
        *word_at(entry_of(bells, i), TERN_BELL_TURN) = i;
    return true;
}

int vfu_bells_make(struct vfu_bells *bells)
{
    int fd = memfd_create("tern-bells", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    bells->base = NULL;
    if (fd < 0)
        return -1;
    if (ftruncate(fd, TERN_BELLS_BYTES) || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) ||
        !map(bells, fd)) {
        close(fd);
        return -1;
    }
    return fd;
}

void vfu_bells_free(struct vfu_bells *bells)
{
    if (bells->base)
        munmap(bells->base, TERN_BELLS_BYTES);
    bells->base = NULL;
}

/* Takes the next entry for this thread; NULL while the entry is full. */
static uint8_t *take(struct vfu_bells *bells, uint32_t *number)
{
    uint32_t *taken = word_at(bells->base, TERN_BELLS_TAKEN);

    *number = __atomic_load_n(taken, __ATOMIC_RELAXED);
    for (;;) {
        uint8_t *entry = entry_of(bells, *number);
        uint32_t turn = __atomic_load_n(word_at(entry, TERN_BELL_TURN), __ATOMIC_ACQUIRE);

        if (turn == *number) {
            if (__atomic_compare_exchange_n(taken, number, *number + 1, true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
                return entry;
        } else if ((int32_t)(turn - *number) < 0) {
            return NULL;
        } else {
            *number = __atomic_load_n(taken, __ATOMIC_RELAXED); /* another thread has taken it */
        }
    }
}

bool vfu_bells_post(struct vfu_bells *bells, uint32_t offset, const void *data, uint32_t bytes)
{
    uint32_t number;
    uint8_t *entry = take(bells, &number);

    if (!entry)
        return false;
    memcpy(entry + TERN_BELL_OFFSET, &offset, sizeof(offset));
    memcpy(entry + TERN_BELL_BYTES, &bytes, sizeof(bytes));
    memcpy(entry + TERN_BELL_DATA, data, bytes);
    __atomic_store_n(word_at(entry, TERN_BELL_TURN), number + 1, __ATOMIC_RELEASE);
    return true;
}

bool vfu_bells_should_wake(struct vfu_bells *bells)
{
    uint32_t *asleep, *last;
    uint32_t taken;

    if (!bells->base)
        return false;
    asleep = word_at(bells->base, TERN_BELLS_ASLEEP);
    if (!__atomic_load_n(asleep, __ATOMIC_SEQ_CST))
        return false;
    taken = __atomic_load_n(word_at(bells->base, TERN_BELLS_TAKEN), __ATOMIC_RELAXED);
    last = word_at(entry_of(bells, taken - 1), TERN_BELL_TURN);
    return __atomic_load_n(last, __ATOMIC_ACQUIRE) == taken &&
           __atomic_exchange_n(asleep, 0, __ATOMIC_SEQ_CST);
}
