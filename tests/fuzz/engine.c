/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: fuzz_TARGET [file ...]
 *        fuzz_TARGET --binary folder file ...
 *        fuzz_TARGET --text file
 *
 * Runs a fuzz target with nothing but a C compiler. It runs files (text.h) one after the other;
 * --binary writes them as bytes, for libFuzzer, and --text prints bytes as such a file. Without
 * files it runs the kept inputs (tests/fuzz/corpus/TARGET), then FUZZ_EXECUTIONS (200000) inputs
 * derived from them, the same for the same FUZZ_SEED (1). It keeps inputs that reach new code and
 * mutates them. Prints TAP, with FUZZ_PROGRESS also its progress; stores a failing input as
 * build/fuzz/TARGET.failed (FUZZ_FAILED).
 */
#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "fuzz.h"
#include "text.h"

enum { INPUT_MAX = 1 << 14, POOL = 4096, EDGES = 1 << 14, KEPT_MAX = 256 };

struct input {
    size_t size;
    uint8_t *data;
};

static struct input pool[POOL];
static unsigned pool_count;
static uint8_t current[INPUT_MAX];
static size_t current_size;
static unsigned long executions;
static const char *phase = "the kept inputs";

/* ---- coverage ---- */

extern const char __executable_start;
static uint8_t reached[EDGES]; /* in this execution */
static uint8_t seen[EDGES];    /* in any execution */
static uint32_t before;

/* The code under test calls this at every edge. */
__attribute__((no_sanitize("address", "undefined"))) void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    uint32_t here = (uint32_t)((uintptr_t)__builtin_return_address(0) -
                               (uintptr_t)&__executable_start) * UINT32_C(0x9e3779b1) >> 18;

    reached[here ^ before] = 1;
    before = here >> 1;
}

/* Tells whether this execution reached an edge for the first time. */
static bool is_new(void)
{
    uint64_t fresh = 0, now, old;

    for (size_t i = 0; i < EDGES; i += sizeof now) {
        memcpy(&now, reached + i, sizeof now);
        if (now == 0)
            continue;
        memcpy(&old, seen + i, sizeof old);
        fresh |= now & ~old;
        old |= now;
        memcpy(seen + i, &old, sizeof old);
    }
    memset(reached, 0, sizeof reached);
    before = 0;
    return fresh != 0;
}

/* ---- failing ---- */

static const char *failed_file(void)
{
    static char path[256];
    const char *said = getenv("FUZZ_FAILED");

    snprintf(path, sizeof path, "build/fuzz/%s.failed", fuzz_target.name);
    return said != NULL ? said : path;
}

/* Saves and names the failing input before the process dies, whichever check ends it. */
static void on_death(void)
{
    FILE *file = fopen(failed_file(), "w");

    printf("not ok - %s of %s are served\n", phase, fuzz_target.name);
    printf("# execution %lu\n", executions);
    if (file != NULL) {
        text_write(file, fuzz_target.record, current, current_size);
        fclose(file);
        printf("# the input is in %s\n", failed_file());
    }
    fflush(stdout);
}

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_set_death_callback(void (*callback)(void));
#endif

void fuzz_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("# ", stdout);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    on_death();
    _Exit(EXIT_FAILURE);
}

/* ---- executions ---- */

static void pool_add(const uint8_t *data, size_t size)
{
    struct input *input = &pool[pool_count % POOL];
    uint8_t *copy = malloc(size + 1);

    if (copy == NULL)
        return;
    memcpy(copy, data, size);
    free(input->data);
    *input = (struct input){size, copy};
    pool_count++;
}

/* Runs an input in an array of exactly its size, so that a sanitizer notices reads past its end. */
static void execute(void)
{
    uint8_t *copy = malloc(current_size + 1);

    if (copy == NULL)
        exit(EXIT_FAILURE);
    memcpy(copy, current, current_size);
    executions++;
    (void)fuzz_one(copy, current_size);
    free(copy);
    if (is_new())
        pool_add(current, current_size);
}

static bool read_input(const char *path)
{
    FILE *file = fopen(path, "r");
    bool good;

    if (file == NULL)
        return false;
    good = text_read(file, fuzz_target.record, current, sizeof current, &current_size);
    fclose(file);
    return good;
}

static void must_read(const char *path)
{
    if (read_input(path))
        return;
    current_size = 0;
    fuzz_fail("%s cannot be read", path);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Finds the folder FUZZ_CORPUS; if it is empty, the engine starts without inputs. */
static void kept_folder(char *folder, size_t room)
{
    const char *said = getenv("FUZZ_CORPUS");

    if (said != NULL)
        snprintf(folder, room, "%s", said);
    else
        snprintf(folder, room, "tests/fuzz/corpus/%s", fuzz_target.name);
}

/* Runs the kept inputs in the order of their names. */
static unsigned run_kept(void)
{
    static char names[KEPT_MAX][256];
    char folder[128], path[512];
    unsigned count = 0;
    DIR *dir;

    kept_folder(folder, sizeof folder);
    dir = opendir(folder);
    for (struct dirent *e; dir != NULL && count < KEPT_MAX && (e = readdir(dir)) != NULL;)
        if (e->d_name[0] != '.')
            snprintf(names[count++], sizeof names[0], "%s", e->d_name);
    if (dir != NULL)
        closedir(dir);
    qsort(names, count, sizeof names[0], by_name);
    for (unsigned i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        must_read(path);
        execute();
        pool_add(current, current_size);
    }
    return count;
}

static const struct input *any(struct fuzz_random *random)
{
    unsigned count = pool_count < POOL ? pool_count : POOL;

    return &pool[fuzz_below(random, count)];
}

/* Prints the progress periodically, if FUZZ_PROGRESS is set. */
static void show_progress(unsigned long done, unsigned long wanted)
{
    if (done % 100000 == 0 && getenv("FUZZ_PROGRESS") != NULL)
        fprintf(stderr, "\r%-12s %3lu %% of %lu, %u inputs built upon ", fuzz_target.name,
                100 * done / wanted, wanted, pool_count);
}

static void run_random(struct fuzz_random *random, unsigned long wanted)
{
    size_t room = fuzz_target.record * fuzz_target.most;

    for (unsigned long i = 0; i < wanted; i++) {
        const struct input *from = any(random), *other = any(random);

        memcpy(current, from->data, from->size);
        current_size = fuzz_mutate(random, current, from->size, room, other->data, other->size);
        execute();
        show_progress(i + 1, wanted);
    }
}

/* ---- files ---- */

static int run_files(int count, char **files)
{
    for (int i = 0; i < count; i++) {
        must_read(files[i]);
        execute();
    }
    printf("%d files: nothing went wrong\n", count);
    return EXIT_SUCCESS;
}

static int write_binary(const char *folder, int count, char **files)
{
    char path[512];

    for (int i = 0; i < count; i++) {
        const char *slash = strrchr(files[i], '/');
        FILE *file;

        must_read(files[i]);
        snprintf(path, sizeof path, "%s/%s", folder, slash != NULL ? slash + 1 : files[i]);
        file = fopen(path, "wb");
        if (file == NULL || fwrite(current, 1, current_size, file) != current_size ||
            fclose(file) != 0) {
            fprintf(stderr, "%s cannot be written\n", path);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

static int print_text(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        fprintf(stderr, "%s cannot be read\n", path);
        return EXIT_FAILURE;
    }
    current_size = fread(current, 1, sizeof current, file);
    fclose(file);
    text_write(stdout, fuzz_target.record, current, current_size);
    return EXIT_SUCCESS;
}

/* ---- the test ---- */

static unsigned long number_of(const char *name, unsigned long otherwise)
{
    const char *said = getenv(name);

    return said != NULL ? strtoul(said, NULL, 0) : otherwise;
}

/*
 * Records the tier, which the simulator would do (sim/sim.c), but these soft nodes run without it.
 */
static void leave_word(void)
{
    const char *path = getenv("TERN_RAN");
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        return;
    fputs("soft\n", file);
    fclose(file);
}

static int run_test(void)
{
    unsigned long wanted = number_of("FUZZ_EXECUTIONS", 200000);
    unsigned long seed = number_of("FUZZ_SEED", 1);
    struct fuzz_random random = {seed * UINT64_C(0x9e3779b97f4a7c15) | 1};
    unsigned kept;
    double seconds;

    leave_word();
    printf("1..2\n# seed %lu\n", seed);
    kept = run_kept();
    if (kept == 0 && getenv("FUZZ_CORPUS") == NULL)
        fuzz_fail("tests/fuzz/corpus/%s holds no inputs", fuzz_target.name);
    printf("ok - the kept inputs of %s are served\n# evidence B4.8 kept=%u\n", fuzz_target.name,
           kept);
    fflush(stdout);
    pool_add(current, 0);
    phase = "random inputs";
    run_random(&random, wanted);
    seconds = (double)clock() / CLOCKS_PER_SEC;
    printf("ok - random inputs of %s are served\n# evidence B4.8 executions=%lu\n",
           fuzz_target.name, wanted);
    printf("# %u inputs built upon, %.0f executions a CPU second\n", pool_count,
           (double)executions / (seconds > 0.001 ? seconds : 0.001));
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    mkdir("build", 0777);
    mkdir("build/fuzz", 0777);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(on_death);
#endif
    if (argc == 3 && strcmp(argv[1], "--text") == 0)
        return print_text(argv[2]);
    if (argc > 3 && strcmp(argv[1], "--binary") == 0)
        return write_binary(argv[2], argc - 3, argv + 3);
    return argc > 1 ? run_files(argc - 1, argv + 1) : run_test();
}
