/* SPDX-License-Identifier: Apache-2.0 */
/* See board.h. */
#include "board.h"

#include <string.h>

/* A reset takes the node two of its ticks: 40 ms on a board, half a minute in simulation. */
enum { RESET_LIMIT_US = 120000000, DMA_LIMIT_US = 5000000 };

/* ---- registers ---- */

static size_t bar_room(void *ctx)
{
    const struct tern_board_host *board = ctx;
    unsigned waiting = (uint8_t)(board->pushed - board->line.taken);

    if (board->reads >= TERN_BOARD_READS)
        return 0;
    return waiting < TERN_HLINK_BAR_ROOM ? TERN_HLINK_BAR_ROOM - waiting : 0;
}

/* Adds a write to the frame of the write before it, if it continues it. */
static bool joins(struct tern_board_host *board, const struct tern_bar_access *access,
                  const uint32_t *words)
{
    struct tern_line_frame *frame = tern_line_last_unsent(&board->line);
    uint32_t beats = frame != NULL ? (frame->count - 3) / 2 : 0;

    if (frame == NULL || tern_frame_kind(frame->words[0]) != TERN_HLINK_KIND_BAR_WRITE ||
        frame->words[1] != words[0] || access->enables != 0xff ||
        frame->words[2] + 8 * beats != access->address || beats == TERN_HLINK_BAR_BEATS)
        return false;
    frame->words[frame->count++] = words[2];
    frame->words[frame->count++] = words[3];
    return true;
}

static void bar_push(void *ctx, const struct tern_bar_access *access)
{
    struct tern_board_host *board = ctx;
    uint32_t words[] = {(uint32_t)access->function << TERN_HLINK_FN |
                            (uint32_t)access->enables << TERN_HLINK_TAG,
                        access->address, (uint32_t)access->data, (uint32_t)(access->data >> 32)};

    board->pushed++;
    if (access->write && joins(board, access, words))
        return;
    if (access->write) {
        board->overrun |= !tern_line_send(&board->line, TERN_HLINK_KIND_BAR_WRITE, words, 4);
        return;
    }
    board->cookie[(board->first_read + board->reads++) % TERN_BOARD_READS] = access->cookie;
    board->overrun |= !tern_line_send(&board->line, TERN_HLINK_KIND_BAR_READ, words, 2);
}

/* Takes one of the answers that come before there is a NIC; its cookie is the register. */
static void take_first(struct tern_board_host *board, uint64_t cookie, const uint32_t *words)
{
    uint32_t value = words[cookie % 8 ? 3 : 2];

    board->known++;
    if (cookie == TERN_REG_LIMITS)
        board->functions = value >> 16;
    else
        board->coordinates = value & 0x7fff;
}

static void take_bar_data(struct tern_board_host *board, const uint32_t *words)
{
    uint64_t cookie = board->cookie[board->first_read];

    if (board->reads == 0)
        return;
    board->first_read = (board->first_read + 1) % TERN_BOARD_READS;
    board->reads--;
    if (board->nic == NULL) {
        take_first(board, cookie, words);
        return;
    }
    tern_nic_read_done(board->nic, cookie, words[2] | (uint64_t)words[3] << 32);
}

void tern_board_host_abandon(struct tern_board_host *board)
{
    static const uint32_t ones[] = {0, 0, UINT32_MAX, UINT32_MAX};

    while (board->reads > 0)
        take_bar_data(board, ones);
}

/* ---- memory ---- */

/* Makes a job of a frame; false if the frame cannot be one. */
static bool job_of(struct tern_board_job *job, const uint32_t *words, size_t count)
{
    bool write = tern_frame_kind(words[0]) == TERN_HLINK_KIND_WRITE;
    uint8_t arg = tern_frame_field(words[1], TERN_HLINK_ARG);
    uint64_t address = words[2] | (uint64_t)words[3] << 32;
    unsigned lane = (unsigned)(address % 4);
    size_t bytes = write ? 4 * (count - 4) - lane - arg % 4 : (size_t)arg + 1;

    if (write && (count < 5 || 4 * (count - 4) <= lane + arg % 4u))
        return false;
    memset(job->data, 0, sizeof job->data);
    if (write)
        memcpy(job->data, words + 4, 4 * (count - 4));
    job->tag = tern_frame_field(words[1], TERN_HLINK_TAG);
    job->irq = write && arg & TERN_HLINK_ARG_IRQ;
    job->words = (uint32_t)((lane + bytes + 3) / 4);
    job->op = (struct tern_dma_op){.address = address,
                                   .data = (uint8_t *)job->data + lane,
                                   .bytes = (uint32_t)bytes,
                                   .write = write,
                                   .function = tern_frame_field(words[1], TERN_HLINK_FN)};
    return true;
}

static void take_access(struct tern_board_host *board, const uint32_t *words, size_t count)
{
    unsigned at = (board->first_job + board->jobs) % TERN_BOARD_JOBS;

    if (board->jobs == TERN_BOARD_JOBS || count < 4 || !job_of(&board->job[at], words, count))
        board->overrun = true;
    else
        board->jobs++;
}

static void take(void *ctx, const uint32_t *words, size_t count)
{
    struct tern_board_host *board = ctx;

    switch (tern_frame_kind(words[0])) {
    case TERN_HLINK_KIND_BAR_DATA:
        if (count >= 4)
            take_bar_data(board, words);
        break;
    case TERN_HLINK_KIND_READ:
    case TERN_HLINK_KIND_WRITE:
        take_access(board, words, count);
        break;
    default:
        board->overrun = true;
    }
}

static void answer(struct tern_board_host *board, const struct tern_board_job *job, bool fault)
{
    uint32_t words[TERN_HLINK_DOWN_WORDS];
    size_t count = 1;

    words[0] = (uint32_t)job->tag << TERN_HLINK_TAG |
               (fault ? (uint32_t)TERN_HLINK_ARG_ERROR << TERN_HLINK_ARG : 0);
    if (!job->op.write) {
        count += fault ? 1 : job->words;
        memcpy(words + 1, job->data, 4 * (count - 1));
    }
    board->overrun |= !tern_line_send(
        &board->line, job->op.write ? TERN_HLINK_KIND_WRITTEN : TERN_HLINK_KIND_READ_DATA, words,
        count);
}

static enum tern_dma_result carry_out(struct tern_board_host *board, struct tern_board_job *job)
{
    if (!job->irq)
        return tern_nic_transfer(board->nic, &job->op);
    tern_nic_interrupt(board->nic, job->op.function, job->data[0] & 0xffff);
    return TERN_DMA_OK;
}

/* ---- all of it ---- */

void tern_board_host_init(struct tern_board_host *board, uint32_t session, uint64_t now)
{
    memset(board, 0, sizeof *board);
    tern_line_init(&board->line, session, now);
    board->line.ctx = board;
    board->line.take = take;
    board->port = (struct tern_bar_port){.ctx = board, .room = bar_room, .push = bar_push};
}

const struct tern_bar_port *tern_board_host_port(const struct tern_board_host *board)
{
    return &board->port;
}

void tern_board_host_ask(struct tern_board_host *board)
{
    static const uint32_t registers[] = {TERN_REG_LIMITS, TERN_REG_NODE};

    for (unsigned i = 0; i < 2; i++) {
        struct tern_bar_access access = {.cookie = registers[i],
                                         .address = registers[i] & ~7u,
                                         .enables = registers[i] % 8 ? 0xf0 : 0x0f};

        bar_push(board, &access);
    }
}

bool tern_board_host_knows(const struct tern_board_host *board)
{
    return board->known == 2;
}

bool tern_board_host_open(struct tern_board_host *board)
{
    struct tern_nic_config config = {.bar = board->port,
                                     .functions = board->functions,
                                     .reset_limit = RESET_LIMIT_US,
                                     .dma_limit = DMA_LIMIT_US};

    board->nic = tern_nic_new(&config);
    return board->nic != NULL;
}

void tern_board_host_fini(struct tern_board_host *board)
{
    tern_nic_free(board->nic);
    tern_line_fini(&board->line);
}

bool tern_board_host_work(struct tern_board_host *board, uint64_t now)
{
    if (board->nic == NULL) {
        tern_line_work(&board->line, now);
        return false;
    }
    tern_nic_work(board->nic, now);
    while (board->jobs > 0) {
        struct tern_board_job *job = &board->job[board->first_job];
        enum tern_dma_result result = carry_out(board, job);

        if (result == TERN_DMA_PENDING)
            break;
        answer(board, job, result == TERN_DMA_FAULT);
        board->first_job = (board->first_job + 1) % TERN_BOARD_JOBS;
        board->jobs--;
    }
    board->line.answers = board->jobs > 0;
    tern_line_work(&board->line, now);
    return board->jobs > 0 || tern_nic_busy(board->nic);
}
