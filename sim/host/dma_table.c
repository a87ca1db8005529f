/* SPDX-License-Identifier: Apache-2.0 */
/* The ranges that a client has mapped, and copies to and from shared ones. */
#include "dma_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "vfio_user.h"

/* A file, mapped whole; exists as long as a range lies in it. */
struct tern_dma_file {
    struct tern_dma_file *next;
    dev_t dev;
    ino_t ino;
    uint8_t *base;
    size_t bytes;
    bool writable;
    size_t ranges;
};

void tern_dma_table_init(struct tern_dma_table *table)
{
    *table = (struct tern_dma_table){0};
}

void tern_dma_table_fini(struct tern_dma_table *table)
{
    tern_dma_table_unmap_all(table);
    free(table->ranges);
    tern_dma_table_init(table);
}

/* Returns the number of ranges that begin at or below `address`. */
static size_t ranges_up_to(const struct tern_dma_table *table, uint64_t address)
{
    size_t low = 0;
    size_t high = table->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (table->ranges[mid].address <= address)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

const struct tern_dma_range *tern_dma_table_find(const struct tern_dma_table *table,
                                                 uint64_t address)
{
    size_t n = ranges_up_to(table, address);

    if (n == 0 || address - table->ranges[n - 1].address >= table->ranges[n - 1].bytes)
        return NULL;
    return &table->ranges[n - 1];
}

/* ---- files ---- */

static struct tern_dma_file *file_known(const struct tern_dma_table *table,
                                        const struct stat *st, uint64_t end, bool write)
{
    struct tern_dma_file *file = table->files;

    while (file != NULL && !(file->dev == st->st_dev && file->ino == st->st_ino &&
                             file->bytes >= end && (file->writable || !write)))
        file = file->next;
    return file;
}

static int file_map(struct tern_dma_table *table, const struct stat *st, int fd, bool write,
                    struct tern_dma_file **out)
{
    struct tern_dma_file *file = calloc(1, sizeof *file);
    size_t bytes = (size_t)st->st_size;
    void *base;

    if (file == NULL)
        return ENOMEM;
    base = mmap(NULL, bytes, PROT_READ | (write ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) {
        free(file);
        return errno;
    }
    *file = (struct tern_dma_file){.next = table->files, .dev = st->st_dev,
                                   .ino = st->st_ino, .base = base, .bytes = bytes,
                                   .writable = write};
    table->files = file;
    *out = file;
    return 0;
}

/* Finds or maps the file of `fd`, at least up to `end`. */
static int file_of(struct tern_dma_table *table, int fd, uint64_t end, bool write,
                   struct tern_dma_file **out)
{
    struct stat st;
    int seals = fcntl(fd, F_GET_SEALS);

    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
        return EPERM;
    if (fstat(fd, &st) != 0)
        return EBADF;
    if (end > (uint64_t)st.st_size)
        return EINVAL;
    *out = file_known(table, &st, end, write);
    return *out != NULL ? 0 : file_map(table, &st, fd, write, out);
}

static void file_drop_range(struct tern_dma_table *table, struct tern_dma_file *file)
{
    struct tern_dma_file **link = &table->files;

    if (file == NULL || --file->ranges > 0)
        return;
    while (*link != file)
        link = &(*link)->next;
    *link = file->next;
    munmap(file->base, file->bytes);
    free(file);
}

/* ---- ranges ---- */

static bool overlaps(const struct tern_dma_table *table, uint64_t address, uint64_t bytes)
{
    size_t n = ranges_up_to(table, address + bytes - 1);

    if (n == 0)
        return false;
    const struct tern_dma_range *last = &table->ranges[n - 1];
    return last->address + (last->bytes - 1) >= address;
}

static int make_room(struct tern_dma_table *table)
{
    size_t room = table->room == 0 ? 16 : 2 * table->room;
    struct tern_dma_range *ranges;

    if (table->count < table->room)
        return 0;
    if (table->count >= TERN_DMA_RANGES_MAX)
        return ENOSPC;
    ranges = realloc(table->ranges, room * sizeof *ranges);
    if (ranges == NULL)
        return ENOMEM;
    table->ranges = ranges;
    table->room = room;
    return 0;
}

static void insert(struct tern_dma_table *table, const struct tern_dma_range *range)
{
    size_t n = ranges_up_to(table, range->address);

    memmove(&table->ranges[n + 1], &table->ranges[n],
            (table->count - n) * sizeof *table->ranges);
    table->ranges[n] = *range;
    table->count++;
    table->changes++;
}

int tern_dma_table_map(struct tern_dma_table *table, const struct tern_dma_range *range,
                       int fd, uint64_t offset)
{
    struct tern_dma_range added = *range;
    int error;

    if (range->bytes == 0 || range->address + (range->bytes - 1) < range->address ||
        (range->prot & (VU_PROT_READ | VU_PROT_WRITE)) == 0)
        return EINVAL;
    if (overlaps(table, range->address, range->bytes))
        return EEXIST;
    error = make_room(table);
    if (error != 0)
        return error;
    added.file = NULL;
    added.at = NULL;
    if (fd >= 0) {
        if (offset + range->bytes < offset)
            return EINVAL;
        error = file_of(table, fd, offset + range->bytes,
                        (range->prot & VU_PROT_WRITE) != 0, &added.file);
        if (error != 0)
            return error;
        added.file->ranges++;
        added.at = added.file->base + offset;
    }
    insert(table, &added);
    return 0;
}

int tern_dma_table_unmap(struct tern_dma_table *table, uint64_t address, uint64_t bytes)
{
    uint64_t last = address + (bytes - 1);
    size_t first, end;

    if (bytes == 0 || last < address)
        return EINVAL;
    first = ranges_up_to(table, address);
    if (first > 0) {
        const struct tern_dma_range *below = &table->ranges[first - 1];

        if (below->address == address)
            first--;
        else if (below->address + (below->bytes - 1) >= address)
            return EINVAL;
    }
    end = ranges_up_to(table, last);
    if (end > first &&
        table->ranges[end - 1].address + (table->ranges[end - 1].bytes - 1) > last)
        return EINVAL;
    if (end == first)
        return 0;
    for (size_t i = first; i < end; i++)
        file_drop_range(table, table->ranges[i].file);
    memmove(&table->ranges[first], &table->ranges[end],
            (table->count - end) * sizeof *table->ranges);
    table->count -= end - first;
    table->changes++;
    return 0;
}

void tern_dma_table_unmap_all(struct tern_dma_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        file_drop_range(table, table->ranges[i].file);
    table->count = 0;
    table->changes++;
}

/* ---- tables of two clients ---- */

static bool one_writes(const struct tern_dma_range *a, const struct tern_dma_range *b)
{
    return ((a->prot | b->prot) & VU_PROT_WRITE) != 0;
}

static bool cross(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a <= b ? b - a < a_bytes : a - b < b_bytes;
}

static bool files_meet(const struct tern_dma_range *a, const struct tern_dma_range *b)
{
    return a->file->dev == b->file->dev && a->file->ino == b->file->ino && one_writes(a, b) &&
           cross((uint64_t)(a->at - a->file->base), a->bytes,
                 (uint64_t)(b->at - b->file->base), b->bytes);
}

/* Tells whether a range of `table` is in the same file as `range` and overlaps it. */
static bool file_is_in(const struct tern_dma_table *table, const struct tern_dma_range *range)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->ranges[i].file != NULL && files_meet(&table->ranges[i], range))
            return true;
    }
    return false;
}

/*
 * Tells whether the two tables' own memory overlaps. Both are sorted, so the range that ends first
 * is done.
 */
static bool own_memory_meets(const struct tern_dma_table *a, const struct tern_dma_table *b)
{
    size_t i = 0, j = 0;

    while (i < a->count && j < b->count) {
        const struct tern_dma_range *ra = &a->ranges[i], *rb = &b->ranges[j];

        if (ra->file == NULL && rb->file == NULL && one_writes(ra, rb) &&
            cross(ra->address, ra->bytes, rb->address, rb->bytes))
            return true;
        if (ra->address + (ra->bytes - 1) <= rb->address + (rb->bytes - 1))
            i++;
        else
            j++;
    }
    return false;
}

bool tern_dma_tables_meet(const struct tern_dma_table *a, pid_t pid_a,
                          const struct tern_dma_table *b, pid_t pid_b)
{
    for (size_t i = 0; b->files != NULL && i < a->count; i++) {
        if (a->ranges[i].file != NULL && file_is_in(b, &a->ranges[i]))
            return true;
    }
    return pid_a == pid_b && own_memory_meets(a, b);
}

/* ---- copies ---- */

static bool aligned(const void *at, size_t bytes)
{
    return ((uintptr_t)at & (bytes - 1)) == 0;
}

static void store_word(uint8_t *to, const uint8_t *from, int order)
{
    uint64_t word;

    memcpy(&word, from, sizeof word);
    if (order == __ATOMIC_RELEASE)
        __atomic_store_n((uint64_t *)(void *)to, word, __ATOMIC_RELEASE);
    else
        __atomic_store_n((uint64_t *)(void *)to, word, __ATOMIC_RELAXED);
}

/* Stores single bytes, then whole aligned words, then single bytes. */
static void store_plain(uint8_t *to, const uint8_t *from, size_t bytes)
{
    size_t i = 0;

    while (i < bytes && !aligned(to + i, 8))
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED), i++;
    for (; i + 8 <= bytes; i += 8)
        store_word(to + i, from + i, __ATOMIC_RELAXED);
    for (; i < bytes; i++)
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
}

void tern_dma_store(uint8_t *to, const uint8_t *from, size_t bytes)
{
    if (bytes >= 8 && aligned(to + bytes, 8)) {
        store_plain(to, from, bytes - 8);
        store_word(to + bytes - 8, from + bytes - 8, __ATOMIC_RELEASE);
    } else if (bytes >= 4 && aligned(to + bytes, 4)) {
        uint32_t last;

        memcpy(&last, from + bytes - 4, sizeof last);
        store_plain(to, from, bytes - 4);
        __atomic_store_n((uint32_t *)(void *)(to + bytes - 4), last, __ATOMIC_RELEASE);
    } else {
        store_plain(to, from, bytes);
        __atomic_thread_fence(__ATOMIC_RELEASE);
    }
}

void tern_dma_load(uint8_t *to, const uint8_t *from, size_t bytes)
{
    size_t i = 0;

    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    while (i < bytes && !aligned(from + i, 8))
        to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED), i++;
    for (; i + 8 <= bytes; i += 8) {
        uint64_t word = __atomic_load_n((const uint64_t *)(const void *)(from + i),
                                        __ATOMIC_RELAXED);

        memcpy(to + i, &word, sizeof word);
    }
    for (; i < bytes; i++)
        to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}
