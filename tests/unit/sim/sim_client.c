/* SPDX-License-Identifier: Apache-2.0 */
/* The host side of a NIC: messages good and bad, functions, resets, DMA. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "client.h"
#include "fake_bar.h"
#include "refuse.h"
#include "tern_abi.h"

enum { RESET_LIMIT = 100000, DMA_LIMIT = 5000, SEED = 20261 };

static struct fake_bar bar;
static struct tern_nic *nic;
static uint64_t now;

static int begin(void **state)
{
    struct tern_nic_config config = {.bar = fake_bar_port(&bar),
                                     .functions = FAKE_BAR_FUNCTIONS,
                                     .reset_limit = RESET_LIMIT,
                                     .dma_limit = DMA_LIMIT};

    (void)state;
    now = 1;
    nic = tern_nic_new(&config);
    bar.nic = nic;
    return nic == NULL;
}

static int end(void **state)
{
    (void)state;
    tern_nic_free(nic);
    return 0;
}

/* Runs client and chip until nothing moves. */
static void settle(void)
{
    for (int i = 0; i < 8; i++) {
        tern_nic_work(nic, now);
        fake_bar_run(&bar);
        now += 300;
    }
    tern_nic_work(nic, now);
}

/* ---- sending and receiving ---- */

static void say(struct tern_client *client, const struct vu_header *header, const void *body,
                size_t bytes)
{
    tern_client_input(client, header, sizeof *header, NULL, 0);
    if (bytes > 0)
        tern_client_input(client, body, bytes, NULL, 0);
}

static void ask(struct tern_client *client, unsigned command, const void *body, size_t bytes)
{
    struct vu_header header = {.id = 7,
                               .command = (uint16_t)command,
                               .bytes = (uint32_t)(sizeof header + bytes)};

    say(client, &header, body, bytes);
    settle();
}

/* Returns the next message to the client; its body is at *body. */
static struct vu_header hear(struct tern_client *client, const uint8_t **body)
{
    struct vu_header header = {0};
    size_t count;
    const uint8_t *out = tern_client_output(client, &count);

    if (count < sizeof header)
        return header;
    memcpy(&header, out, sizeof header);
    if (body != NULL)
        *body = out + sizeof header;
    tern_client_output_taken(client, header.bytes);
    return header;
}

static void expect_ok(struct tern_client *client, unsigned command)
{
    struct vu_header header = hear(client, NULL);

    assert_int_equal(header.command, command);
    assert_int_equal(header.flags, VU_FLAG_REPLY);
    assert_int_equal(header.id, 7);
}

static void expect_error(struct tern_client *client, unsigned command, int error)
{
    struct vu_header header = hear(client, NULL);

    assert_int_equal(header.command, command);
    assert_int_equal(header.flags, VU_FLAG_REPLY | VU_FLAG_ERROR);
    assert_int_equal(header.error, error);
}

static const char version_body[] = "\0\0\0\0{\"capabilities\":{\"tern\":{\"process_vm\":true}}}";

static struct tern_client *attach(void)
{
    struct tern_client *client = tern_nic_attach(nic, getpid());

    ask(client, VU_VERSION, version_body, sizeof version_body);
    expect_ok(client, VU_VERSION);
    return client;
}

static void access_bar(struct tern_client *client, bool write, uint32_t offset,
                       uint32_t *words, unsigned count, uint32_t flags)
{
    struct vu_region_access access = {.offset = offset, .bytes = 4 * count};
    uint8_t body[sizeof access + 256];
    size_t data = write ? 4 * count : 0;
    struct vu_header header = {.id = 7,
                               .command = write ? VU_REGION_WRITE : VU_REGION_READ,
                               .flags = flags,
                               .bytes = (uint32_t)(sizeof header + sizeof access + data)};

    memcpy(body, &access, sizeof access);
    if (data > 0)
        memcpy(body + sizeof access, words, data);
    say(client, &header, body, sizeof access + data);
}

/* Checks that the client still works. */
static void expect_served(struct tern_client *client)
{
    const uint8_t *body = NULL;
    uint32_t value;
    struct vu_header header;

    access_bar(client, false, TERN_REG_STATUS, NULL, 1, 0);
    settle();
    header = hear(client, &body);
    assert_int_equal(header.command, VU_REGION_READ);
    assert_int_equal(header.flags, VU_FLAG_REPLY);
    memcpy(&value, body + sizeof(struct vu_region_access), sizeof value);
    assert_int_equal(value, TERN_FWSTATE_READY);
}

/* ---- bad messages ---- */

static void truncated_messages_are_refused(void **state)
{
    static const struct {
        unsigned command;
        size_t whole;
    } rows[] = {
        {VU_DMA_MAP, sizeof(struct vu_dma_map)},
        {VU_DMA_UNMAP, sizeof(struct vu_dma_unmap)},
        {VU_GET_INFO, sizeof(struct vu_device_info)},
        {VU_GET_REGION_INFO, sizeof(struct vu_region_info)},
        {VU_GET_IRQ_INFO, sizeof(struct vu_irq_info)},
        {VU_SET_IRQS, sizeof(struct vu_irq_set)},
        {VU_REGION_READ, sizeof(struct vu_region_access)},
        {VU_REGION_WRITE, sizeof(struct vu_region_access)},
    };
    struct tern_client *client = attach();
    uint8_t body[64];
    unsigned refused = 0;

    (void)state;
    memset(body, 0xff, sizeof body);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t bytes = 0; bytes < rows[i].whole; bytes++) {
            ask(client, rows[i].command, body, bytes);
            expect_error(client, rows[i].command, EINVAL);
            refused++;
        }
    }
    expect_served(client);
    printf("# evidence A5.13 refused=%u\n", refused);
}

static void a_message_cut_off_ends_that_client_only(void **state)
{
    struct tern_client *other = attach();
    struct tern_client *client = attach();
    struct vu_header header = {.command = VU_DMA_MAP, .bytes = 48};

    (void)state;
    assert_int_equal(client->function, 1);
    tern_client_input(client, &header, sizeof header, NULL, 0);
    tern_client_input(client, &header, 7, NULL, 0);
    tern_nic_detach(nic, client); /* an end of file has this effect */
    expect_served(other);
    client = attach();
    assert_int_equal(client->function, 1);
    expect_served(client);
    printf("# evidence A5.13 others_served=1\n");
}

static void sizes_that_cannot_be_end_the_client_only(void **state)
{
    static const struct {
        uint32_t bytes;
        int error;
    } rows[] = {
        {0, EINVAL},
        {15, EINVAL}, /* less than the header's own size */
        {sizeof(struct vu_header) + VU_BODY_MAX + 1, EMSGSIZE},
        {UINT32_MAX, EMSGSIZE},
    };
    struct tern_client *other = attach();
    unsigned closed = 0;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tern_client *client = attach();
        struct vu_header header = {
            .id = 7, .command = VU_REGION_WRITE, .bytes = rows[i].bytes};

        say(client, &header, NULL, 0);
        expect_error(client, VU_REGION_WRITE, rows[i].error);
        assert_true(client->closing);
        assert_int_equal(tern_client_wanted(client), 0);
        closed += client->closing;
        tern_nic_detach(nic, client);
        expect_served(other);
    }
    printf("# evidence A5.14 closed=%u\n", closed);
}

static void unknown_messages_are_refused(void **state)
{
    static const unsigned unknown[] = {0, 6, 14, 15, 99, 0xffff, VU_DMA_READ, VU_DMA_WRITE};
    struct tern_client *client = attach();
    uint8_t body[64] = {0};

    (void)state;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        ask(client, unknown[i], body, i * 8);
        expect_error(client, unknown[i], ENOTSUP);
    }
    expect_served(client);
    printf("# evidence A5.15 refused=%zu\n", sizeof unknown / sizeof unknown[0]);
}

static void messages_out_of_order_are_refused(void **state)
{
    struct tern_client *client = tern_nic_attach(nic, getpid());
    struct vu_header answer = {.id = 3, .command = VU_DMA_READ, .flags = VU_FLAG_REPLY,
                               .bytes = sizeof answer};
    struct vu_device_info info = {.argsz = sizeof info};
    size_t count;

    (void)state;
    ask(client, VU_GET_INFO, &info, sizeof info); /* before VERSION */
    expect_error(client, VU_GET_INFO, EINVAL);
    ask(client, VU_RESET, NULL, 0);
    expect_error(client, VU_RESET, EINVAL);
    ask(client, VU_VERSION, version_body, sizeof version_body);
    expect_ok(client, VU_VERSION);
    ask(client, VU_VERSION, version_body, sizeof version_body); /* again */
    expect_error(client, VU_VERSION, EINVAL);
    say(client, &answer, NULL, 0); /* a reply without a request */
    settle();
    tern_client_output(client, &count);
    assert_int_equal(count, 0);
    expect_served(client);
    printf("# evidence A5.16 refused=3 ignored=1\n");
}

static void versions_are_checked(void **state)
{
    static const struct {
        const char *body;
        size_t bytes;
        int error; /* 0: accepted */
    } rows[] = {
        {"\0\0\0\0", 4, 0}, /* the JSON text is optional */
        {"\0\0\1\0{}", 7, 0},
        {"\1\0\0\0{}", 7, EPROTONOSUPPORT},
        {"\0\0\0\0{", 6, EINVAL},
        {"\0\0\0", 3, EINVAL},
        {"\0\0\0\0{\"capabilities\":7}", 23, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tern_client *client = tern_nic_attach(nic, getpid());

        ask(client, VU_VERSION, rows[i].body, rows[i].bytes);
        if (rows[i].error == 0)
            expect_ok(client, VU_VERSION);
        else
            expect_error(client, VU_VERSION, rows[i].error);
        tern_nic_detach(nic, client);
        settle();
    }
}

static void numbers_out_of_range_are_refused(void **state)
{
    static const struct vu_region_access rows[] = {
        {.offset = 2, .region = 0, .bytes = 4},                    /* not aligned */
        {.offset = 0, .region = 0, .bytes = 3},
        {.offset = 0, .region = 0, .bytes = 0},
        {.offset = TERN_BAR_BYTES, .region = 0, .bytes = 4},       /* after the end */
        {.offset = TERN_BAR_BYTES - 4, .region = 0, .bytes = 8},
        {.offset = UINT64_MAX - 3, .region = 0, .bytes = 8},       /* wraps */
        {.offset = 0, .region = 1, .bytes = 4},                    /* empty region */
        {.offset = 0, .region = 77, .bytes = 4},
        {.offset = 250, .region = VU_REGION_CONFIG, .bytes = 8},
    };
    struct vu_irq_set set = {.argsz = sizeof set, .flags = 0x24, .index = 2, .start = 60,
                             .count = 5};
    struct tern_client *client = attach();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ask(client, VU_REGION_READ, &rows[i], sizeof rows[i]);
        expect_error(client, VU_REGION_READ, EINVAL);
    }
    ask(client, VU_SET_IRQS, &set, sizeof set);
    expect_error(client, VU_SET_IRQS, EINVAL);
    set.start = UINT32_MAX;
    ask(client, VU_SET_IRQS, &set, sizeof set);
    expect_error(client, VU_SET_IRQS, EINVAL);
    expect_served(client);
}

/* xorshift: the same messages in every run. */
static uint32_t random_word(void)
{
    static uint32_t x = SEED;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

static void random_messages_harm_nobody(void **state)
{
    struct tern_client *other = attach();
    struct tern_client *client = attach();
    unsigned closed = 0;

    (void)state;
    printf("# seed %d\n", SEED);
    for (int i = 0; i < 20000; i++) {
        uint8_t body[96];
        size_t bytes = random_word() % sizeof body;
        struct vu_header header = {.id = (uint16_t)random_word(),
                                   .command = (uint16_t)(random_word() % 17),
                                   .flags = random_word() % 64,
                                   .bytes = (uint32_t)(sizeof header + bytes)};

        for (size_t b = 0; b < sizeof body; b++)
            body[b] = random_word() % 3 == 0 ? (uint8_t)random_word() : 0;
        if (random_word() % 64 == 0)
            header.bytes = random_word();
        say(client, &header, body, bytes);
        tern_nic_work(nic, ++now);
        fake_bar_run(&bar);
        if (client->closing || client->out_bytes > 1 << 16) {
            tern_nic_detach(nic, client);
            settle();
            client = attach();
            closed++;
        }
    }
    assert_true(closed > 10);
    expect_served(other);
}

/* ---- registers ---- */

static void writes_become_beats_in_order(void **state)
{
    struct tern_client *client = attach();
    uint32_t words[16];

    (void)state;
    for (unsigned i = 0; i < 16; i++)
        words[i] = 0x11110000 + i;
    bar.count = 0;
    access_bar(client, true, TERN_BAR_DB, words, 16, VU_FLAG_NO_REPLY);
    access_bar(client, true, TERN_BAR_DB + TERN_DB_INDEX + 4, words, 1, VU_FLAG_NO_REPLY);
    tern_nic_work(nic, ++now);
    assert_int_equal(bar.count, 9);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(bar.queue[i].address, TERN_BAR_DB + 8 * i);
        assert_int_equal(bar.queue[i].enables, 0xff);
        assert_true(bar.queue[i].data == ((uint64_t)words[2 * i + 1] << 32 | words[2 * i]));
    }
    assert_int_equal(bar.queue[8].address, TERN_BAR_DB + TERN_DB_INDEX);
    assert_int_equal(bar.queue[8].enables, 0xf0);
    assert_true(bar.queue[8].data == (uint64_t)words[0] << 32);
    assert_int_equal(hear(client, NULL).bytes, 0); /* no reply was requested */
}

static void an_unaligned_run_of_words_is_cut_at_its_ends(void **state)
{
    struct tern_client *client = attach();
    uint32_t words[4] = {1, 2, 3, 4};
    const uint8_t *body = NULL;
    uint32_t back[4];

    (void)state;
    access_bar(client, true, TERN_BAR_FN_REGS + 0x14, words, 4, 0);
    settle();
    expect_ok(client, VU_REGION_WRITE);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(fake_bar_get(&bar, 0, TERN_BAR_FN_REGS + 0x14 + 4 * i), words[i]);
    access_bar(client, false, TERN_BAR_FN_REGS + 0x14, NULL, 4, 0);
    settle();
    assert_int_equal(hear(client, &body).command, VU_REGION_READ);
    memcpy(back, body + sizeof(struct vu_region_access), sizeof back);
    assert_memory_equal(back, words, sizeof words);
}

static void a_read_waits_for_the_chip_and_holds_up_only_its_client(void **state)
{
    struct tern_client *client = attach();
    struct tern_client *other = attach();
    uint32_t word = 0xabcd;

    (void)state;
    access_bar(client, true, TERN_REG_AQ_BASE_LO, &word, 1, VU_FLAG_NO_REPLY);
    access_bar(client, false, TERN_REG_AQ_BASE_LO, NULL, 1, 0);
    tern_nic_work(nic, ++now);
    assert_int_equal(hear(client, NULL).bytes, 0); /* the chip has not answered */
    ask(other, VU_GET_INFO, &(struct vu_device_info){.argsz = 16}, 16);
    expect_ok(other, VU_GET_INFO);
    settle();
    assert_int_equal(hear(client, NULL).command, VU_REGION_READ);
    assert_int_equal(fake_bar_get(&bar, 0, TERN_REG_AQ_BASE_LO), word);
}

static void a_full_queue_only_delays(void **state)
{
    struct tern_client *client = attach();
    uint32_t words[16] = {0};

    (void)state;
    bar.room = 10; /* room for one window, not two */
    for (unsigned i = 0; i < 20; i++) {
        words[0] = i;
        access_bar(client, true, TERN_BAR_DB + i * TERN_BAR_DB_STRIDE, words, 16,
                   VU_FLAG_NO_REPLY);
    }
    for (int i = 0; i < 20; i++) {
        tern_nic_work(nic, ++now);
        assert_true(bar.count % 8 == 0); /* the beats of a window stay together */
        fake_bar_run(&bar);
    }
    assert_int_equal(fake_bar_get(&bar, 0, TERN_BAR_DB + 19 * TERN_BAR_DB_STRIDE), 19);
}

static void a_client_that_stops_reading_is_dropped(void **state)
{
    struct tern_client *other = attach();
    struct tern_client *client = attach();
    struct vu_region_access access = {.region = VU_REGION_CONFIG, .bytes = 256};
    unsigned asked = 0;

    (void)state;
    while (!client->closing && asked < 1000000) {
        struct vu_header header = {.command = VU_REGION_READ,
                                   .bytes = sizeof header + sizeof access};

        say(client, &header, &access, sizeof access);
        tern_nic_work(nic, ++now);
        asked++;
    }
    assert_true(client->closing);
    assert_true(client->out_room <= 2 * TERN_CLIENT_OUTPUT_BYTES);
    tern_nic_detach(nic, client);
    expect_served(other);
    printf("# evidence A5.17 dropped_after=%u others_served=1\n", asked);
}

/* ---- functions and resets ---- */

static void a_function_is_reset_before_it_is_given_again(void **state)
{
    struct tern_client *first = attach();
    struct tern_client *second = attach();
    struct tern_client *third;
    struct vu_header header = {.id = 7, .command = VU_VERSION, .bytes = sizeof header + 4};

    (void)state;
    assert_int_equal(first->function, 0);
    assert_int_equal(second->function, 1);
    tern_nic_detach(nic, first);
    third = tern_nic_attach(nic, getpid());
    say(third, &header, "\0\0\0\0", 4);
    tern_nic_work(nic, ++now);
    assert_int_equal(third->function, TERN_CLIENT_NO_FUNCTION);
    settle();
    assert_int_equal(third->function, 0);
    assert_int_equal(fake_bar_get(&bar, 0, TERN_REG_FN_STATUS) >> 16, 1);
    assert_int_equal(fake_bar_get(&bar, 1, TERN_REG_FN_STATUS) >> 16, 0);
    expect_served(second);
}

static void a_firmware_that_does_not_answer_is_waited_for_only_so_long(void **state)
{
    struct tern_client *client = attach();

    (void)state;
    bar.dead = true;
    tern_nic_detach(nic, client);
    settle();
    assert_true(tern_nic_busy(nic));
    now += RESET_LIMIT;
    settle();
    assert_false(tern_nic_busy(nic));
    assert_int_equal(tern_nic_count(nic)->resets_unconfirmed, 1);
    assert_int_equal(attach()->function, 0);
}

static void reset_keeps_the_client_and_its_maps(void **state)
{
    struct tern_client *client = attach();
    struct vu_dma_map map = {.argsz = sizeof map, .flags = 3, .address = 0x1000,
                             .bytes = 0x1000};

    (void)state;
    ask(client, VU_DMA_MAP, &map, sizeof map);
    expect_ok(client, VU_DMA_MAP);
    ask(client, VU_RESET, NULL, 0);
    expect_ok(client, VU_RESET);
    assert_int_equal(fake_bar_get(&bar, 0, TERN_REG_FN_STATUS) >> 16, 1);
    assert_non_null(tern_dma_table_find(&client->dma, 0x1800));
    expect_served(client);
}

static void one_client_too_many_is_refused(void **state)
{
    struct tern_client *client;

    (void)state;
    for (int i = 0; i < FAKE_BAR_FUNCTIONS; i++)
        assert_int_equal(attach()->function, i);
    client = tern_nic_attach(nic, getpid());
    ask(client, VU_VERSION, version_body, sizeof version_body);
    assert_true(client->closing);
    assert_int_equal(tern_nic_count(nic)->refused, 1);
}

static void an_interrupt_reaches_the_event_counter(void **state)
{
    struct tern_client *client = attach();
    int fd = eventfd(0, EFD_NONBLOCK);
    struct vu_irq_set set = {.argsz = sizeof set,
                             .flags = VU_IRQ_DATA_EVENTFD | VU_IRQ_ACTION_TRIGGER,
                             .index = VU_IRQ_MSIX, .start = 5, .count = 1};
    struct vu_header header = {.id = 7, .command = VU_SET_IRQS,
                               .bytes = sizeof header + sizeof set};
    int given = dup(fd);
    uint64_t count = 0;

    (void)state;
    tern_client_input(client, &header, sizeof header, &given, 1);
    tern_client_input(client, &set, sizeof set, NULL, 0);
    settle();
    expect_ok(client, VU_SET_IRQS);
    tern_nic_interrupt(nic, 0, 5);
    tern_nic_interrupt(nic, 0, 6); /* no eventfd */
    tern_nic_interrupt(nic, 3, 5); /* no client */
    assert_int_equal(read(fd, &count, sizeof count), sizeof count);
    assert_int_equal(count, 1);
    close(fd);
}

/* ---- shared memory ---- */

static int shared_file(size_t bytes, bool sealed)
{
    int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    if (sealed)
        assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    return fd;
}

static void map_fd(struct tern_client *client, uint64_t address, uint64_t bytes, int fd,
                   uint64_t offset)
{
    struct vu_dma_map map = {.argsz = sizeof map, .flags = 3, .offset = offset,
                             .address = address, .bytes = bytes};
    struct vu_header header = {.id = 7, .command = VU_DMA_MAP,
                               .bytes = sizeof header + sizeof map};
    int given = fd >= 0 ? dup(fd) : -1;

    tern_client_input(client, &header, sizeof header, &given, fd >= 0);
    tern_client_input(client, &map, sizeof map, NULL, 0);
    settle();
}

/* ---- posted writes ---- */

static void give_fds(struct tern_client *client, unsigned command, const int *fds, unsigned count)
{
    struct vu_header header = {.id = 7, .command = (uint16_t)command, .bytes = sizeof header};
    int given[2];

    for (unsigned i = 0; i < count; i++)
        given[i] = dup(fds[i]);
    tern_client_input(client, &header, sizeof header, given, count);
    settle();
}

/* Memory for posted writes as the driver makes it, given to the client. */
static uint8_t *share_bells(struct tern_client *client)
{
    int fd = shared_file(TERN_BELLS_BYTES, true);
    uint8_t *base = mmap(NULL, TERN_BELLS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    for (uint32_t i = 0; i < TERN_BELLS_ENTRIES; i++)
        memcpy(base + TERN_BELLS_ENTRIES_AT + (size_t)i * TERN_BELLS_ENTRY_BYTES, &i, sizeof i);
    give_fds(client, TERN_BELLS_COMMAND, &fd, 1);
    expect_ok(client, TERN_BELLS_COMMAND);
    close(fd);
    return base;
}

static uint32_t *bell_word(uint8_t *base, uint32_t number, uint32_t offset)
{
    return (uint32_t *)(void *)(base + TERN_BELLS_ENTRIES_AT + offset +
                                (size_t)(number % TERN_BELLS_ENTRIES) * TERN_BELLS_ENTRY_BYTES);
}

static void ring_bell(uint8_t *base, uint32_t number, uint32_t offset, uint32_t bytes,
                      uint32_t value)
{
    *bell_word(base, number, TERN_BELL_OFFSET) = offset;
    *bell_word(base, number, TERN_BELL_BYTES) = bytes;
    *bell_word(base, number, TERN_BELL_DATA) = value;
    *bell_word(base, number, TERN_BELL_TURN) = number + 1;
}

static void posted_writes_reach_the_chip_before_later_messages(void **state)
{
    struct tern_client *client = attach();
    uint8_t *bells = share_bells(client);
    uint32_t word = 99;

    (void)state;
    bar.count = 0;
    ring_bell(bells, 0, TERN_BAR_DB, TERN_DESC_BYTES, 5);
    ring_bell(bells, 1, TERN_BAR_DB + TERN_DB_INDEX, 4, 6);
    access_bar(client, true, TERN_BAR_FN_REGS, &word, 1, VU_FLAG_NO_REPLY);
    tern_nic_work(nic, ++now);
    assert_int_equal(bar.count, 10);
    assert_int_equal(bar.queue[0].address, TERN_BAR_DB);
    assert_true(bar.queue[0].data == 5);
    assert_int_equal(bar.queue[8].address, TERN_BAR_DB + TERN_DB_INDEX);
    assert_true(bar.queue[8].data == 6 && bar.queue[8].enables == 0x0f);
    assert_int_equal(bar.queue[9].address, TERN_BAR_FN_REGS);
    /* Both entries are free for their next turn. */
    assert_int_equal(*bell_word(bells, 0, TERN_BELL_TURN), TERN_BELLS_ENTRIES);
    assert_int_equal(*bell_word(bells, 1, TERN_BELL_TURN), TERN_BELLS_ENTRIES + 1);
    munmap(bells, TERN_BELLS_BYTES);
}

static void posted_writes_wait_for_room_and_hold_up_later_messages(void **state)
{
    struct tern_client *client = attach();
    uint8_t *bells = share_bells(client);
    uint32_t last = 77;

    (void)state;
    fake_bar_run(&bar);
    bar.room = 10; /* room for one window, not for two */
    for (uint32_t i = 0; i < 20; i++)
        ring_bell(bells, i, TERN_BAR_DB + i * TERN_BAR_DB_STRIDE, TERN_DESC_BYTES, i);
    access_bar(client, true, TERN_BAR_DB + 19 * TERN_BAR_DB_STRIDE, &last, 1, VU_FLAG_NO_REPLY);
    assert_true(tern_nic_busy(nic));
    for (int i = 0; i < 20; i++) {
        assert_int_equal(fake_bar_get(&bar, 0, TERN_BAR_DB + 19 * TERN_BAR_DB_STRIDE), 0);
        tern_nic_work(nic, ++now);
        /* A window's beats stay together; the message goes with the last. */
        assert_int_equal(bar.count, i < 19 ? 8 : 9);
        fake_bar_run(&bar);
    }
    assert_int_equal(fake_bar_get(&bar, 0, TERN_BAR_DB + 18 * TERN_BAR_DB_STRIDE), 18);
    assert_int_equal(fake_bar_get(&bar, 0, TERN_BAR_DB + 19 * TERN_BAR_DB_STRIDE), 77);
    assert_false(tern_nic_busy(nic));
    munmap(bells, TERN_BELLS_BYTES);
}

static void memory_for_posted_writes_is_checked(void **state)
{
    struct tern_client *client = attach();
    int open_file = shared_file(TERN_BELLS_BYTES, false);
    int small = shared_file(TERN_BELLS_BYTES - 4096, true);
    int good = shared_file(TERN_BELLS_BYTES, true);
    int two[2] = {good, good};

    (void)state;
    give_fds(client, TERN_BELLS_COMMAND, &open_file, 1);
    expect_error(client, TERN_BELLS_COMMAND, EPERM);
    give_fds(client, TERN_BELLS_COMMAND, &small, 1);
    expect_error(client, TERN_BELLS_COMMAND, EINVAL);
    give_fds(client, TERN_BELLS_COMMAND, two, 2);
    expect_error(client, TERN_BELLS_COMMAND, EINVAL);
    ask(client, TERN_BELLS_COMMAND, "body", 4);
    expect_error(client, TERN_BELLS_COMMAND, EINVAL);
    give_fds(client, TERN_BELLS_COMMAND, &good, 1);
    expect_ok(client, TERN_BELLS_COMMAND);
    give_fds(client, TERN_BELLS_COMMAND, &good, 1); /* it has some */
    expect_error(client, TERN_BELLS_COMMAND, EBUSY);
    ask(client, TERN_BELLS_COMMAND, NULL, 0); /* wakes a simulator that sleeps */
    expect_ok(client, TERN_BELLS_COMMAND);
    expect_served(client);
    close(open_file);
    close(small);
    close(good);
}

static void a_posted_write_that_cannot_be_is_left_out(void **state)
{
    static const struct {
        uint32_t offset, bytes;
    } bad[] = {{TERN_BAR_DB + 2, 4}, {TERN_BAR_DB, 6}, {TERN_BAR_DB, 0},
               {TERN_BAR_DB, TERN_DESC_BYTES + 4}, {TERN_BAR_BYTES, 4}, {TERN_BAR_BYTES - 4, 8},
               {UINT32_MAX - 3, 4}, {TERN_BAR_DB, UINT32_MAX - 3}};
    struct tern_client *other = attach();

    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tern_client *client = attach();
        uint8_t *bells = share_bells(client);
        uint64_t done = bar.done;

        ring_bell(bells, 0, bad[i].offset, bad[i].bytes, 1);
        ring_bell(bells, 1, TERN_BAR_DB, 4, 1);
        settle();
        assert_true(bar.done == done + 1); /* the good one behind it alone */
        expect_served(client);
        tern_nic_detach(nic, client);
        settle();
        munmap(bells, TERN_BELLS_BYTES);
    }
    expect_served(other);
}

/* ---- DMA ---- */

static enum tern_dma_result dma(unsigned function, bool write, uint64_t address, void *data,
                                uint32_t bytes)
{
    struct tern_dma_op op = {.address = address, .data = data, .bytes = bytes,
                             .write = write, .function = (uint8_t)function};

    return tern_nic_transfer(nic, &op);
}

static void shared_memory_is_reached_through_its_file(void **state)
{
    struct tern_client *client = attach();
    int fd = shared_file(8192, true);
    uint8_t *shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    uint8_t data[100], back[100];

    (void)state;
    map_fd(client, 0x70000000, 4096, fd, 0);
    expect_ok(client, VU_DMA_MAP);
    map_fd(client, 0x70001000, 4096, fd, 4096); /* the same file: mapped once */
    expect_ok(client, VU_DMA_MAP);
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i + 1);
    for (unsigned at = 4096 - 60; at < 4096 - 40; at++) { /* across both mappings, at any
                                                           * alignment */
        memset(shared, 0, 8192);
        assert_int_equal(dma(0, true, 0x70000000 + at, data, sizeof data), TERN_DMA_OK);
        assert_memory_equal(shared + at, data, sizeof data);
        assert_int_equal(shared[at - 1], 0);
        assert_int_equal(shared[at + sizeof data], 0);
        assert_int_equal(dma(0, false, 0x70000000 + at, back, sizeof back), TERN_DMA_OK);
        assert_memory_equal(back, data, sizeof data);
    }
    assert_int_equal(dma(0, true, 0x70002000 - 8, data, 16), TERN_DMA_FAULT);
    assert_int_equal(dma(0, false, 0x6ffffff8, data, 4), TERN_DMA_FAULT);
    assert_int_equal(dma(1, false, 0x70000000, data, 4), TERN_DMA_FAULT); /* another's */
    munmap(shared, 8192);
    close(fd);
}

static void files_that_could_shrink_are_refused(void **state)
{
    struct tern_client *client = attach();
    int open_file = shared_file(4096, false);
    int sealed = shared_file(4096, true);

    (void)state;
    map_fd(client, 0x1000, 4096, open_file, 0);
    expect_error(client, VU_DMA_MAP, EPERM);
    map_fd(client, 0x1000, 8192, sealed, 0); /* beyond the file's end */
    expect_error(client, VU_DMA_MAP, EINVAL);
    map_fd(client, 0x1000, 4096, sealed, 0);
    expect_ok(client, VU_DMA_MAP);
    map_fd(client, 0x1800, 4096, sealed, 0); /* overlaps another mapping */
    expect_error(client, VU_DMA_MAP, EEXIST);
    close(open_file);
    close(sealed);
}

static void private_memory_is_reached_in_the_client(void **state)
{
    struct tern_client *client = attach();
    uint8_t memory[64] = "hello", data[64] = {0};
    uint64_t address = (uint64_t)(uintptr_t)memory;

    (void)state;
    assert_true(client->process_vm);
    map_fd(client, address, sizeof memory, -1, 0);
    expect_ok(client, VU_DMA_MAP);
    map_fd(client, 0x10, 64, -1, 0); /* mapped, but the memory does not exist */
    expect_ok(client, VU_DMA_MAP);
    assert_int_equal(dma(0, false, address, data, 6), TERN_DMA_OK);
    assert_string_equal((char *)data, "hello");
    assert_int_equal(dma(0, true, address + 6, data, 6), TERN_DMA_OK);
    assert_string_equal((char *)memory + 6, "hello");
    assert_int_equal(dma(0, false, 0x10, data, 8), TERN_DMA_FAULT);
}

static void memory_is_reached_by_messages_when_nothing_else_works(void **state)
{
    struct tern_client *client = attach();
    uint8_t data[8] = {0};
    struct tern_dma_op op = {.address = 0x5004, .data = data, .bytes = 8};
    struct vu_dma_access asked;
    const uint8_t *body = NULL;
    struct vu_header header;
    struct {
        struct vu_dma_access access;
        char data[8];
    } answer = {{0x5004, 8}, {'m', 'e', 's', 's', 'a', 'g', 'e', '!'}};

    (void)state;
    client->process_vm = false;
    map_fd(client, 0x5000, 4096, -1, 0);
    expect_ok(client, VU_DMA_MAP);
    /* The NIC must take the reply to its DMA read while a BAR read still waits for the chip. */
    access_bar(client, false, TERN_REG_STATUS, NULL, 1, 0);
    tern_nic_work(nic, ++now);
    assert_int_equal(tern_nic_transfer(nic, &op), TERN_DMA_PENDING);
    header = hear(client, &body);
    assert_int_equal(header.command, VU_DMA_READ);
    memcpy(&asked, body, sizeof asked);
    assert_true(asked.address == 0x5004 && asked.bytes == 8);
    header.flags = VU_FLAG_REPLY;
    header.bytes = sizeof header + sizeof answer;
    say(client, &header, &answer, sizeof answer);
    assert_int_equal(tern_nic_transfer(nic, &op), TERN_DMA_OK);
    assert_memory_equal(data, "message!", 8);
}

/* Runs in a process of its own, since the kernel's refusals are permanent. */
static void ask_when_refused(struct tern_client *client, uint64_t address)
{
    uint8_t data[6];
    struct tern_dma_op op = {.address = address, .data = data, .bytes = sizeof data};
    enum tern_dma_result first;

    if (!refuse_process_vm())
        _exit(2);
    first = tern_nic_transfer(nic, &op); /* finds out by the failure, and has to be repeated */
    if (first == TERN_DMA_FAULT || tern_nic_transfer(nic, &op) != TERN_DMA_PENDING)
        _exit(3);
    _exit(hear(client, NULL).command == VU_DMA_READ ? 0 : 4);
}

static void memory_that_is_refused_later_is_reached_by_messages(void **state)
{
    struct tern_client *client = attach();
    uint8_t memory[64] = "hello", data[64] = {0};
    uint64_t address = (uint64_t)(uintptr_t)memory;
    int status = -1;
    pid_t pid;

    (void)state;
    map_fd(client, address, sizeof memory, -1, 0);
    expect_ok(client, VU_DMA_MAP);
    assert_int_equal(dma(0, false, address, data, 6), TERN_DMA_OK);
    pid = fork();
    if (pid == 0)
        ask_when_refused(client, address);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void a_client_that_does_not_answer_is_dropped_in_time(void **state)
{
    struct tern_client *client = attach();
    uint8_t data[8] = {0};
    struct tern_dma_op op = {.address = 0x5000, .data = data, .bytes = 8, .write = true};

    (void)state;
    client->process_vm = false;
    map_fd(client, 0x5000, 4096, -1, 0);
    assert_int_equal(tern_nic_transfer(nic, &op), TERN_DMA_PENDING);
    settle();
    assert_int_equal(tern_nic_transfer(nic, &op), TERN_DMA_PENDING);
    assert_false(client->closing);
    tern_nic_work(nic, now += DMA_LIMIT);
    assert_int_equal(tern_nic_transfer(nic, &op), TERN_DMA_PENDING);
    assert_true(client->closing);
    tern_nic_detach(nic, client);
    assert_int_equal(tern_nic_transfer(nic, &op), TERN_DMA_OK); /* a write: no effect */
    op = (struct tern_dma_op){.address = 0x5000, .data = data, .bytes = 8};
    assert_int_equal(tern_nic_transfer(nic, &op), TERN_DMA_FAULT); /* a read fails */
}

static void ranges_are_dropped_whole(void **state)
{
    struct tern_dma_table table;
    struct tern_dma_range range = {.bytes = 0x1000, .prot = 3};

    (void)state;
    tern_dma_table_init(&table);
    for (unsigned i = 0; i < 100; i++) {
        range.address = (i * 37 % 100) * 0x1000; /* in random order */
        assert_int_equal(tern_dma_table_map(&table, &range, -1, 0), 0);
    }
    assert_int_equal(tern_dma_table_unmap(&table, 0x800, 0x1000), EINVAL);
    assert_int_equal(tern_dma_table_unmap(&table, 0x1000, 0x1800), EINVAL);
    assert_int_equal(table.count, 100);
    assert_int_equal(tern_dma_table_unmap(&table, 0xa000, 0x50000), 0); /* many at once */
    assert_int_equal(table.count, 20);
    assert_null(tern_dma_table_find(&table, 0xa000));
    assert_non_null(tern_dma_table_find(&table, 0x9fff));
    assert_non_null(tern_dma_table_find(&table, 0x5a000));
    assert_int_equal(tern_dma_table_unmap(&table, 0xa000, 0x50000), 0); /* none left */
    range = (struct tern_dma_range){.address = UINT64_MAX - 0xfff, .bytes = 0x1001, .prot = 3};
    assert_int_equal(tern_dma_table_map(&table, &range, -1, 0), EINVAL); /* wraps */
    tern_dma_table_fini(&table);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(truncated_messages_are_refused),
        TEST(a_message_cut_off_ends_that_client_only),
        TEST(sizes_that_cannot_be_end_the_client_only),
        TEST(unknown_messages_are_refused),
        TEST(messages_out_of_order_are_refused),
        TEST(versions_are_checked),
        TEST(numbers_out_of_range_are_refused),
        TEST(random_messages_harm_nobody),
        TEST(writes_become_beats_in_order),
        TEST(an_unaligned_run_of_words_is_cut_at_its_ends),
        TEST(a_read_waits_for_the_chip_and_holds_up_only_its_client),
        TEST(a_full_queue_only_delays),
        TEST(a_client_that_stops_reading_is_dropped),
        TEST(a_function_is_reset_before_it_is_given_again),
        TEST(a_firmware_that_does_not_answer_is_waited_for_only_so_long),
        TEST(reset_keeps_the_client_and_its_maps),
        TEST(one_client_too_many_is_refused),
        TEST(an_interrupt_reaches_the_event_counter),
        TEST(posted_writes_reach_the_chip_before_later_messages),
        TEST(posted_writes_wait_for_room_and_hold_up_later_messages),
        TEST(memory_for_posted_writes_is_checked),
        TEST(a_posted_write_that_cannot_be_is_left_out),
        TEST(shared_memory_is_reached_through_its_file),
        TEST(files_that_could_shrink_are_refused),
        TEST(private_memory_is_reached_in_the_client),
        TEST(memory_is_reached_by_messages_when_nothing_else_works),
        TEST(memory_that_is_refused_later_is_reached_by_messages),
        TEST(a_client_that_does_not_answer_is_dropped_in_time),
        TEST(ranges_are_dropped_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
