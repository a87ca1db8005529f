/* SPDX-License-Identifier: Apache-2.0 */
/* See bells.h. */
#include "bells.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static uint8_t *entry_of(const struct tern_bells *bells)
{
    return bells->base + TERN_BELLS_ENTRIES_AT +
           (size_t)(bells->next % TERN_BELLS_ENTRIES) * TERN_BELLS_ENTRY_BYTES;
}

static uint32_t *word_at(uint8_t *base, uint32_t offset)
{
    return (uint32_t *)(void *)(base + offset);
}

int tern_bells_map(struct tern_bells *bells, int fd)
{
    int seals = fcntl(fd, F_GET_SEALS);
    struct stat st;
    void *base;

    if (bells->base != NULL)
        return EBUSY;
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
        return EPERM; /* access after the file shrank would kill the simulator */
    if (fstat(fd, &st) != 0)
        return EBADF;
    if (st.st_size < TERN_BELLS_BYTES)
        return EINVAL;
    base = mmap(NULL, TERN_BELLS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED)
        return errno;
    *bells = (struct tern_bells){.base = base};
    return 0;
}

void tern_bells_unmap(struct tern_bells *bells)
{
    if (bells->base != NULL)
        munmap(bells->base, TERN_BELLS_BYTES);
    bells->base = NULL;
}

bool tern_bells_rung(const struct tern_bells *bells)
{
    return bells->base != NULL &&
           __atomic_load_n(word_at(entry_of(bells), TERN_BELL_TURN), __ATOMIC_ACQUIRE) ==
               bells->next + 1;
}

void tern_bells_take(struct tern_bells *bells, struct tern_bell *bell)
{
    uint8_t *entry = entry_of(bells);

    memcpy(&bell->offset, entry + TERN_BELL_OFFSET, sizeof bell->offset);
    memcpy(&bell->bytes, entry + TERN_BELL_BYTES, sizeof bell->bytes);
    memcpy(bell->data, entry + TERN_BELL_DATA, sizeof bell->data);
    __atomic_store_n(word_at(entry, TERN_BELL_TURN), bells->next + TERN_BELLS_ENTRIES,
                     __ATOMIC_RELEASE);
    bells->next++;
}

void tern_bells_sleep(const struct tern_bells *bells, bool asleep)
{
    if (bells->base != NULL)
        __atomic_store_n(word_at(bells->base, TERN_BELLS_ASLEEP), asleep, __ATOMIC_SEQ_CST);
}
