/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of a client about registers and interrupts (sim/host/requests.c): any bytes, in a body
 * of any size. An accepted access lies in its region, and its body has the stated length; its beats
 * lie in the BAR and carry its bytes, each once; only existing vectors are set, cleared or raised.
 */
#include "requests.c"
#include "proof.h"

enum { BODY = 24 };

static struct {
    struct tern_frame frame;
    uint8_t body[BODY];
} message;
static struct tern_client client;
static unsigned replies, vectors;

/* ---- the environment */

void tern_client_reply(struct tern_client *to, const struct vu_header *header, const void *body,
                       size_t bytes)
{
    (void)to;
    (void)header;
    (void)body;
    (void)bytes;
    replies++;
}

void tern_client_set_vector(struct tern_client *to, unsigned vector, int fd)
{
    (void)to;
    (void)fd;
    PROVE(vector < TERN_CLIENT_VECTORS, "a vector is one of the client's");
    vectors++;
}

void tern_nic_interrupt(struct tern_nic *nic, unsigned function, unsigned vector)
{
    (void)nic;
    (void)function;
    PROVE(vector < TERN_CLIENT_VECTORS, "an interrupt is one of the client's");
}

int fstat(int fd, struct stat *st)
{
    (void)fd;
    st->st_mode = nondet_u32();
    return nondet_bool() ? 0 : -1;
}

/* ---- steps */

static void beats_are_the_access(const struct vu_region_access *access)
{
    size_t count = beat_count(access), n = nondet_size();
    struct beat beat;

    ASSUME(n < count);
    beat = beat_of(access, n);
    PROVE(beat.address < TERN_BAR_BYTES && beat.address % 8 == 0, "a beat lies in the BAR");
    PROVE(beat.enables == 0xff || beat.enables == 0x0f || beat.enables == 0xf0,
          "it is of whole words");
    PROVE(beat.bytes <= 8 && beat.bytes <= access->bytes && beat.at <= access->bytes - beat.bytes,
          "it lies in the data");
    PROVE(n != 0 || beat.at == 0, "the first begins with the access");
    PROVE(n != count - 1 || beat.at + beat.bytes == access->bytes, "the last ends with it");
    if (n + 1 < count)
        PROVE(beat_of(access, n + 1).at == beat.at + beat.bytes, "the next goes on where it ends");
    if (n == 1 && beat.enables == 0x0f)
        REACHED("half a beat at the end");
}

static void access_step(struct tern_frame *frame)
{
    struct vu_region_access access;
    bool write = nondet_bool();
    size_t data = write ? frame->body_bytes - sizeof access : 0;

    if (access_head(frame, write, &access) != 0)
        return;
    PROVE(access.region == VU_REGION_BAR0 || access.region == VU_REGION_CONFIG,
          "a region with bytes");
    PROVE(access.bytes != 0 && access.offset <= region_bytes(access.region) &&
              access.bytes <= region_bytes(access.region) - access.offset,
          "an access lies in its region");
    PROVE(frame->body_bytes >= sizeof access && (!write || access.bytes == data),
          "the body is as long as the access says");
    if (access.region == VU_REGION_BAR0)
        beats_are_the_access(&access);
    else
        REACHED("an access to the configuration");
}

static void irqs_step(struct tern_frame *frame)
{
    unsigned fds = frame->fd_count;
    int error = serve_set_irqs(&client, frame);

    PROVE(replies == (error == 0), "what went well is answered, and nothing else");
    PROVE(error == 0 || vectors == 0, "an error changes nothing");
    PROVE(frame->fd_count == 0 || frame->fd_count == fds, "descriptors are given away together");
    if (fds == VU_FDS_MAX && vectors == fds)
        REACHED("as many vectors as descriptors can come");
    if (vectors == TERN_CLIENT_VECTORS)
        REACHED("all vectors are cleared");
}

void proof(void)
{
    struct tern_frame *frame = &message.frame;

    for (size_t i = 0; i < sizeof message - sizeof message.frame; i++)
        frame->body[i] = nondet_u8();
    frame->body_bytes = any_up_to(BODY);
    frame->fd_count = any_up_to(VU_FDS_MAX);
    if (nondet_bool())
        access_step(frame);
    else
        irqs_step(frame);
}
