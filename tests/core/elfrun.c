/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a RISC-V executable on the core bench.
 *
 *   elfrun [-s FILE] [-t CYCLES] BENCH ELF [+plusarg ...]
 *
 * The program starts at 0x80000000 with 1 MiB of RAM; a non-zero store to its symbol `tohost`
 * ends it.  -s writes the words from `begin_signature` to `end_signature`.  The exit status is
 * the bench's: 0 for the value 1, 1 for any other, 2 for TIMEOUT; 3 when nothing could be run.
 */
#include "elf32.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RAM_BYTES = 1 << 20, CANNOT_RUN = 3, ARGS_MAX = 64 };
static const uint32_t RAM_BASE = 0x80000000u;

struct job {
    const char *bench, *elf_path, *sig_path, *cycles;
    char **extra;
    int extra_count;
    uint32_t tohost, sig_begin, sig_end;
    char hex_path[64];
};

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "elfrun: %s %s\n", what, why);
    return CANNOT_RUN;
}

static uint32_t word_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Omits zero words: the bench's RAM is initially zero. */
static bool write_hex(FILE *file, const unsigned char *image)
{
    unsigned next = 0;

    for (unsigned i = 0; i < RAM_BYTES / 4; i++) {
        uint32_t word = word_at(image + 4 * i);

        if (word == 0 && i != 0)
            continue;
        if (i != next)
            fprintf(file, "@%x\n", i);
        fprintf(file, "%08x\n", word);
        next = i + 1;
    }
    return fflush(file) == 0 && !ferror(file);
}

static bool make_hex(struct job *job, const unsigned char *image)
{
    const char *dir = getenv("TMPDIR");
    FILE *file;
    int fd;
    bool ok;

    snprintf(job->hex_path, sizeof job->hex_path, "%.40s/elfrun-XXXXXX", dir ? dir : "/tmp");
    fd = mkstemp(job->hex_path);
    if (fd < 0)
        return false;
    file = fdopen(fd, "w");
    if (file == NULL)
        return false;
    ok = write_hex(file, image);
    return fclose(file) == 0 && ok;
}

/* Runs in the child: the bench takes all settings as plusargs. */
static void exec_bench(const struct job *job)
{
    char hex[96], tohost[32], begin[32], end[32], cycles[48], sig[4096];
    char *argv[ARGS_MAX];
    int n = 0;

    snprintf(hex, sizeof hex, "+hex=%s", job->hex_path);
    snprintf(tohost, sizeof tohost, "+tohost=%08x", (unsigned)job->tohost);
    argv[n++] = (char *)job->bench;
    argv[n++] = hex;
    argv[n++] = tohost;
    if (job->cycles != NULL) {
        snprintf(cycles, sizeof cycles, "+max-cycles=%s", job->cycles);
        argv[n++] = cycles;
    }
    if (job->sig_path != NULL) {
        snprintf(sig, sizeof sig, "+sig=%s", job->sig_path);
        snprintf(begin, sizeof begin, "+b=%08x", (unsigned)job->sig_begin);
        snprintf(end, sizeof end, "+e=%08x", (unsigned)job->sig_end);
        argv[n++] = sig;
        argv[n++] = begin;
        argv[n++] = end;
    }
    for (int i = 0; i < job->extra_count && n < ARGS_MAX - 1; i++)
        argv[n++] = job->extra[i];
    argv[n] = NULL;
    execv(job->bench, argv);
    fprintf(stderr, "elfrun: %s: %s\n", job->bench, strerror(errno));
    _exit(CANNOT_RUN);
}

static int run_bench(const struct job *job)
{
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child < 0)
        return complain(job->bench, "cannot be started");
    if (child == 0)
        exec_bench(job);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return complain(job->bench, "was lost");
    if (!WIFEXITED(status))
        return complain(job->bench, "was stopped by a signal (a failed assertion?)");
    return WEXITSTATUS(status);
}

static bool in_ram(uint32_t address, uint32_t last)
{
    return address >= RAM_BASE && address - RAM_BASE <= last;
}

/* Finds the symbols that the bench watches. Returns the reason on failure. */
static const char *find_symbols(struct job *job, const struct elf32 *elf)
{
    if (!elf32_symbol(elf, "tohost", &job->tohost))
        return "has no symbol tohost, so it could never end";
    if (!in_ram(job->tohost, RAM_BYTES - 4))
        return "has its symbol tohost outside the RAM";
    if (job->sig_path == NULL)
        return NULL;
    if (!elf32_symbol(elf, "begin_signature", &job->sig_begin) ||
        !elf32_symbol(elf, "end_signature", &job->sig_end))
        return "has no symbols begin_signature and end_signature";
    if (!in_ram(job->sig_begin, RAM_BYTES) || !in_ram(job->sig_end, RAM_BYTES) ||
        job->sig_end < job->sig_begin)
        return "has its signature outside the RAM";
    return NULL;
}

static const char *prepare(struct job *job, struct elf32 *elf, unsigned char *image)
{
    const char *why;

    if (!elf32_open(elf, job->elf_path) || !elf32_load(elf, image, RAM_BASE, RAM_BYTES))
        return elf->error;
    if (elf32_entry(elf) != RAM_BASE)
        return "does not start at 0x80000000, where the core does";
    why = find_symbols(job, elf);
    if (why != NULL)
        return why;
    return make_hex(job, image) ? NULL : "needs a temporary file that cannot be written";
}

static int run(struct job *job)
{
    static unsigned char image[RAM_BYTES];
    struct elf32 elf;
    const char *why = prepare(job, &elf, image);
    int status = why == NULL ? run_bench(job) : complain(job->elf_path, why);

    if (job->hex_path[0] != '\0')
        unlink(job->hex_path);
    elf32_close(&elf);
    return status;
}

static bool is_number(const char *text)
{
    return text[0] != '\0' && strlen(text) < 10 && strspn(text, "0123456789") == strlen(text);
}

int main(int argc, char **argv)
{
    struct job job = { 0 };
    int option;

    while ((option = getopt(argc, argv, "+s:t:")) != -1) {
        if (option == 's')
            job.sig_path = optarg;
        else if (option == 't' && is_number(optarg))
            job.cycles = optarg;
        else
            return complain("usage:", "elfrun [-s FILE] [-t CYCLES] BENCH ELF [+plusarg ...]");
    }
    if (argc - optind < 2)
        return complain("usage:", "elfrun [-s FILE] [-t CYCLES] BENCH ELF [+plusarg ...]");
    job.bench = argv[optind];
    job.elf_path = argv[optind + 1];
    job.extra = argv + optind + 2;
    job.extra_count = argc - optind - 2;
    return run(&job);
}
