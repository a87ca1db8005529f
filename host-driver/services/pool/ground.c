/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a pool and the directory of its objects.  See ground.h. */
#define _GNU_SOURCE
#include "ground.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint8_t magic[8] = "TERNPOOL";

enum { PLACES_LOG2 = 12, TRIES = 64 };

/*
 * Addresses between those that the kernel gives to programs and to libraries, one for each 4 GiB.
 */
static const uint64_t places_begin = UINT64_C(0x200000000000);
static const uint64_t place_bytes = UINT64_C(1) << 32;

int64_t pool_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

static uint64_t page(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

bool pool_name_is_good(const char *name)
{
    size_t length = name ? strnlen(name, TERN_POOL_NAME) : 0;

    return length > 0 && length < TERN_POOL_NAME;
}

/* FNV-1a. */
static uint32_t name_hash(const char *name)
{
    uint32_t hash = 2166136261u;

    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash;
}

static int file_make(uint64_t bytes)
{
    int file = memfd_create("tern-pool", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (file >= 0 && (ftruncate(file, (off_t)bytes) ||
                      fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))) {
        close(file);
        return -1;
    }
    return file;
}

static void *map_at(int file, uint64_t address, uint64_t bytes)
{
    void *base = mmap((void *)(uintptr_t)address, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);

    if (base == MAP_FAILED || base == (void *)(uintptr_t)address)
        return base == MAP_FAILED ? NULL : base;
    munmap(base, bytes);
    return NULL;
}

/* Lays out the head; the rest is already zero. */
static int lay_out(const struct tern_pool_config *config, struct pool_ground *head)
{
    uint64_t ground = sizeof(*head) + config->members * sizeof(struct pool_seat);

    memcpy(head->magic, magic, sizeof(magic));
    head->layout = POOL_LAYOUT;
    head->members = config->members;
    head->lease_ms = config->lease_ms ? config->lease_ms : POOL_LEASE;
    head->pool = (uint16_t)(name_hash(config->name) ^ name_hash(config->name) >> 16);
    head->keep = config->keep;
    strcpy(head->name, config->name);
    head->leases = round_up(ground, page());
    head->directory = head->leases + config->members * sizeof(struct pool_lease);
    head->objects = round_up(head->directory + (POOL_OBJECTS + 1) * sizeof(struct pool_entry),
                             page());
    head->objects_bytes = round_up(config->bytes, page());
    head->bytes = head->objects + head->objects_bytes;
    head->adoption = 1;
    if (getentropy(head->secret, sizeof(head->secret)) ||
        getentropy(&head->life, sizeof(head->life)) || getentropy(&head->tags, sizeof(head->tags)))
        return -TERN_ST_SYSTEM;
    return 0;
}

int pool_ground_make(const struct tern_pool_config *config, struct pool_ground **ground, int *file)
{
    struct pool_ground head = {0};
    uint64_t first = name_hash(config->name);
    int status = lay_out(config, &head);

    if (status)
        return status;
    *file = file_make(head.bytes);
    if (*file < 0)
        return -TERN_ST_SYSTEM;
    *ground = NULL;
    for (uint64_t i = 0; !*ground && i < TRIES; i++) {
        head.address = places_begin + (first + i) % (1u << PLACES_LOG2) * place_bytes;
        *ground = map_at(*file, head.address, head.bytes);
    }
    if (!*ground) {
        close(*file);
        return -TERN_ST_NO_MEMORY;
    }
    memcpy(*ground, &head, sizeof(head));
    return 0;
}

int pool_ground_map(int file, struct pool_ground **ground)
{
    struct pool_ground head;
    struct stat st;

    if (pread(file, &head, sizeof(head), 0) != (ssize_t)sizeof(head) || fstat(file, &st) ||
        memcmp(head.magic, magic, sizeof(magic)) != 0 || head.layout != POOL_LAYOUT ||
        head.bytes != (uint64_t)st.st_size || head.members > POOL_MEMBERS_MAX)
        return -TERN_ST_PROTOCOL;
    *ground = map_at(file, head.address, head.bytes);
    return *ground ? 0 : -TERN_ST_NO_MEMORY;
}

void pool_ground_unmap(struct pool_ground *ground)
{
    if (ground)
        munmap(ground, ground->bytes);
}

/* ---- objects */

static struct pool_entry *entry_of(struct pool_ground *ground, const char *name)
{
    for (struct pool_entry *e = pool_directory(ground) + 1;
         e <= pool_directory(ground) + POOL_OBJECTS; e++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

static void tell(const struct pool_entry *entry, struct tern_pool_object *object)
{
    *object = (struct tern_pool_object){
        .kind = entry->kind, .offset = entry->offset, .bytes = entry->bytes};
    memcpy(object->name, entry->name, sizeof(object->name) - 1);
}

/* Reserves the memory first: a server that dies here leaves unused memory, but no broken object. */
int pool_object_make(struct pool_ground *ground, const char *name, uint32_t kind, size_t bytes,
                     struct tern_pool_object *object)
{
    struct pool_entry *entry;

    if (!pool_name_is_good(name) || bytes == 0)
        return -TERN_ST_BAD_ARGUMENT;
    entry = entry_of(ground, name);
    if (entry && entry->published)
        return -TERN_ST_QUEUE_BUSY;
    if (!entry)
        entry = entry_of(ground, "");
    if (!entry)
        return -TERN_ST_NO_RESOURCE;
    if (bytes > ground->objects_bytes - ground->used)
        return -TERN_ST_NO_MEMORY;
    entry->kind = kind;
    entry->offset = ground->used;
    entry->bytes = bytes;
    ground->used += round_up(bytes, POOL_ALIGN);
    if (ground->used > ground->objects_bytes)
        ground->used = ground->objects_bytes;
    strcpy(entry->name, name);
    tell(entry, object);
    return 0;
}

int pool_object_publish(struct pool_ground *ground, const struct tern_pool_object *object)
{
    struct pool_entry *entry = pool_name_is_good(object->name) ? entry_of(ground, object->name)
                                                               : NULL;

    if (!entry || entry->offset != object->offset)
        return -TERN_ST_NOT_FOUND;
    __atomic_store_n(&entry->published, 1, __ATOMIC_RELEASE);
    return 0;
}

int pool_object_find(const struct pool_entry *directory, const char *name,
                     struct tern_pool_object *object)
{
    if (!pool_name_is_good(name))
        return -TERN_ST_BAD_ARGUMENT;
    for (const struct pool_entry *e = directory + 1; e <= directory + POOL_OBJECTS; e++)
        if (__atomic_load_n(&e->published, __ATOMIC_ACQUIRE) &&
            strncmp(e->name, name, sizeof(e->name)) == 0) {
            tell(e, object);
            return 0;
        }
    return -TERN_ST_NOT_FOUND;
}
