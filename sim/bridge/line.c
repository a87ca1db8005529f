/* SPDX-License-Identifier: Apache-2.0 */
/* See line.h. */
#include "line.h"

#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE_LEAST_US = 20000,      /* a USB bridge collects bytes for some milliseconds */
    PATIENCE_LEAST_ETHER_US = 2000, /* an interface of this machine collects frames, too */
    PATIENCE_MOST_US = 2000000,
    PATIENCE_FIRST_US = 25000,
    ACK_US = 200, /* a board sends again what is not acknowledged within some milliseconds */
    ACK_FRAMES = TERN_HLINK_WINDOW / 2
};

void tern_line_init(struct tern_line *line, uint32_t session, uint64_t now)
{
    memset(line, 0, sizeof *line);
    line->session = session;
    line->last = &line->first;
    line->now = line->heard = line->due = now;
    line->patience = PATIENCE_FIRST_US;
}

void tern_line_ether(struct tern_line *line, const uint8_t host[TERN_PACKET_ADDRESS])
{
    line->ether = true;
    memcpy(line->host, host, sizeof line->host);
}

void tern_line_fini(struct tern_line *line)
{
    while (line->first != NULL) {
        struct tern_line_frame *frame = line->first;

        line->first = frame->next;
        free(frame);
    }
    line->last = &line->first;
    line->unsent = NULL;
}

/* ---- output ---- */

static bool has_room(const struct tern_line *line)
{
    return line->out_bytes + TERN_FRAME_LINE_BYTES <= sizeof line->out;
}

static void put_frame(struct tern_line *line, const uint32_t *words, size_t count)
{
    uint8_t *to;

    if (line->out_at > 0) {
        memmove(line->out, line->out + line->out_at, line->out_bytes);
        line->out_at = 0;
    }
    to = line->out + line->out_bytes;
    line->out_bytes += line->ether
                           ? tern_packet_make(words, count, line->host, line->session, to)
                           : tern_frame_line(words, count, to);
    line->counts.sent++;
}

static uint32_t head(const struct tern_line *line, unsigned kind, uint8_t seq, size_t count)
{
    return (uint32_t)kind << TERN_HLINK_KIND | (uint32_t)line->channel << TERN_HLINK_CHANNEL |
           (uint32_t)seq << TERN_HLINK_SEQ | (uint32_t)line->expect << TERN_HLINK_ACK |
           (uint32_t)count << TERN_HLINK_WORDS;
}

static void put_sync(struct tern_line *line)
{
    uint32_t words[] = {head(line, TERN_HLINK_KIND_SYNC, 0, 3), 0, line->session};

    put_frame(line, words, 3);
}

static void put_ack(struct tern_line *line)
{
    uint32_t words[] = {head(line, TERN_HLINK_KIND_ACK, 0, 2),
                        line->gap ? (uint32_t)TERN_HLINK_ARG_GAP << TERN_HLINK_ARG : 0};

    put_frame(line, words, 2);
    line->owe = line->gap = false;
    line->owed = 0;
}

static void put_numbered(struct tern_line *line, struct tern_line_frame *frame)
{
    uint8_t seq = (uint8_t)(line->oldest + line->open);

    frame->words[0] = head(line, tern_frame_kind(frame->words[0]), seq, frame->count);
    put_frame(line, frame->words, frame->count);
    frame->sent = true;
    if (line->asked == 0) {
        line->asked = line->now;
        line->measured = seq;
    }
    if (line->open == 0)
        line->due = line->now + line->patience;
    line->open++;
    line->owe = line->owe && line->gap; /* a frame acknowledges, too */
    line->owed = 0;
}

bool tern_line_send(struct tern_line *line, unsigned kind, const uint32_t *words, size_t count)
{
    struct tern_line_frame *frame = malloc(sizeof *frame);

    if (frame == NULL)
        return false;
    frame->next = NULL;
    frame->sent = false;
    frame->count = (uint32_t)count + 1;
    frame->words[0] = (uint32_t)kind << TERN_HLINK_KIND;
    memcpy(frame->words + 1, words, count * sizeof *words);
    *line->last = frame;
    line->last = &frame->next;
    if (line->unsent == NULL)
        line->unsent = frame;
    return true;
}

void tern_line_ask(struct tern_line *line)
{
    line->asks = true;
    line->due = line->now;
}

struct tern_line_frame *tern_line_last_unsent(const struct tern_line *line)
{
    struct tern_line_frame *frame = line->unsent;

    while (frame != NULL && frame->next != NULL)
        frame = frame->next;
    return frame == NULL || frame->sent ? NULL : frame;
}

/* Sends all open frames again. */
static void rewind_to_oldest(struct tern_line *line)
{
    line->counts.again += line->open;
    line->unsent = line->first;
    line->open = 0;
    line->asked = 0; /* an answer could be one to the first sending */
}

/* ---- input ---- */

static void measure(struct tern_line *line)
{
    uint64_t least = line->ether ? PATIENCE_LEAST_ETHER_US : PATIENCE_LEAST_US;
    uint64_t took = line->now - line->asked;

    line->round_trip = line->round_trip == 0 ? took : (7 * line->round_trip + took) / 8;
    line->patience = 4 * line->round_trip;
    if (line->patience < least)
        line->patience = least;
    if (line->patience > PATIENCE_MOST_US)
        line->patience = PATIENCE_MOST_US;
    line->asked = 0;
}

static void take_ack(struct tern_line *line, uint8_t ack)
{
    unsigned count = (uint8_t)(ack - line->oldest);

    if (count > line->open)
        return; /* older than what is known, or of frames that were not sent */
    if (line->asked != 0 && (uint8_t)(line->measured - line->oldest) < count)
        measure(line);
    if (count > 0)
        line->due = line->now + line->patience;
    for (; count > 0 && line->first != NULL; count--) {
        struct tern_line_frame *frame = line->first;

        line->first = frame->next;
        if (line->first == NULL)
            line->last = &line->first;
        free(frame);
        line->oldest++;
        line->open--;
    }
}

static void report_gap(struct tern_line *line)
{
    line->owe = true;
    line->gap = line->gap || !line->gap_told;
    line->gap_told = true;
}

static void take_numbered(struct tern_line *line, const uint32_t *words, size_t count)
{
    uint8_t ahead = (uint8_t)(tern_frame_field(words[0], TERN_HLINK_SEQ) - line->expect);

    line->owe = true;
    if (ahead == 0) {
        line->expect++;
        if (line->owed++ == 0)
            line->since = line->now;
        line->gap = line->gap_told = false;
        line->counts.received++;
        line->take(line->ctx, words, count);
        return;
    }
    line->counts.dropped++;
    if (ahead < 128)
        report_gap(line);
}

static void take_synced(struct tern_line *line, uint8_t arg)
{
    line->heard = line->now;
    line->synced = true;
    line->asks = false;
    line->first_image = (arg & TERN_HLINK_ARG_FIRST) != 0;
    line->rolled_back = (arg & TERN_HLINK_ARG_BACK) != 0;
    line->more = arg >> TERN_HLINK_ARG_MORE & 15;
}

static void take_frame(struct tern_line *line, const uint32_t *words, size_t count)
{
    unsigned kind = tern_frame_kind(words[0]);

    if (kind == TERN_HLINK_KIND_SYNCED && count >= 4 && words[2] == line->session &&
        words[3] == TERN_HLINK_VERSION)
        take_synced(line, tern_frame_field(words[1], TERN_HLINK_ARG));
    if (!line->synced || kind == TERN_HLINK_KIND_SYNCED)
        return; /* of an earlier session */
    line->heard = line->now;
    line->taken = tern_frame_field(words[1], TERN_HLINK_TAKEN);
    take_ack(line, tern_frame_field(words[0], TERN_HLINK_ACK));
    if (kind == TERN_HLINK_KIND_ACK &&
        tern_frame_field(words[1], TERN_HLINK_ARG) & TERN_HLINK_ARG_GAP)
        rewind_to_oldest(line);
    if (kind >= TERN_HLINK_KIND_NUMBERED)
        take_numbered(line, words, count);
}

/* Takes what the line has brought: `count` words of a frame, or 0 and perhaps a damaged one. */
static void take_whole(struct tern_line *line, const uint32_t *words, size_t count, bool bad)
{
    if (count > 0 && (words[0] >> TERN_HLINK_CHANNEL & 15) == line->channel)
        take_frame(line, words, count);
    if (!bad)
        return;
    line->counts.bad++;
    if (line->synced)
        report_gap(line);
}

void tern_line_input(struct tern_line *line, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool bad;
        size_t words = tern_unframe_byte(&line->in, bytes[i], &bad);

        take_whole(line, line->in.words, words, bad);
    }
}

void tern_line_packet(struct tern_line *line, const uint8_t *packet, size_t bytes)
{
    uint32_t words[TERN_FRAME_WORDS];
    bool bad;
    size_t count = tern_packet_words(packet, bytes, line->host, line->session, words, &bad);

    line->counts.foreign += count == 0 && !bad;
    take_whole(line, words, count, bad);
}

/* ---- time ---- */

static void be_impatient(struct tern_line *line)
{
    line->counts.timeouts++;
    line->patience = 2 * line->patience < PATIENCE_MOST_US ? 2 * line->patience : PATIENCE_MOST_US;
    line->due = line->now + line->patience;
    if ((!line->synced || line->asks) && has_room(line))
        put_sync(line);
    if (line->open > 0)
        rewind_to_oldest(line);
}

/*
 * Returns whether an acknowledgement may wait for a frame that brings it along. One that reports a
 * gap, or repeats what the board has missed, may not.
 */
static bool may_wait(const struct tern_line *line)
{
    return line->answers && !line->gap && line->owed > 0 && line->owed < ACK_FRAMES &&
           line->now - line->since < ACK_US;
}

void tern_line_work(struct tern_line *line, uint64_t now)
{
    line->now = now;
    if (!line->synced || line->asks || line->open > 0) {
        if (now >= line->due)
            be_impatient(line);
    } else {
        line->heard = now; /* silence means nothing */
    }
    while (line->synced && line->unsent != NULL && line->open < TERN_HLINK_WINDOW &&
           has_room(line)) {
        struct tern_line_frame *frame = line->unsent;

        line->unsent = frame->next;
        put_numbered(line, frame);
    }
    if (line->owe && has_room(line) && !may_wait(line))
        put_ack(line);
}

uint64_t tern_line_wait(const struct tern_line *line)
{
    if (line->synced && !line->asks && line->open == 0)
        return UINT64_MAX;
    return line->due > line->now ? line->due - line->now : 0;
}

const uint8_t *tern_line_output(const struct tern_line *line, size_t *count)
{
    const uint8_t *from = line->out + line->out_at;

    *count = line->ether && line->out_bytes > 0 ? tern_packet_bytes(from) : line->out_bytes;
    return from;
}

void tern_line_output_taken(struct tern_line *line, size_t count)
{
    line->out_at += count;
    line->out_bytes -= count;
    if (line->out_bytes == 0)
        line->out_at = 0;
}

bool tern_line_dead(const struct tern_line *line)
{
    return line->now - line->heard > TERN_LINE_DEAD_US;
}
