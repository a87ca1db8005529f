/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gdb's protocol on a simulated ring in this process, packet by packet over TCP: packets that gdb
 * sends, packets that it does not send, and invalid ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "attach.h"
#include "gdbserver.h"
#include "hart.h"
#include "rsp.h"
#include "sim.h"
#include "tern_abi.h"

enum { PATIENCE = 400000, BOOTED = 200000, NODES = 2, ANSWER = 3 * TERN_RSP_BYTES };
enum { DTCM = TERN_MEM_DTCM_BASE + TERN_MEM_DTCM_BYTES / 2, MMIO = TERN_MEM_MMIO_BASE };

static uint8_t firmware[1 << 20];
static size_t firmware_bytes;
static struct tern_sim *sim;
static struct tern_gdbserver *server;

struct peer {
    int fd;
    bool closed, silent;
    unsigned refused; /* `-` seen */
    struct tern_rsp in;
};

static struct peer peer;

/* ---- the simulation ---- */

static int load_firmware(void **state)
{
    FILE *file = fopen("build/fw/tern-fw.elf", "rb");

    (void)state;
    if (file == NULL)
        return 1;
    firmware_bytes = fread(firmware, 1, sizeof firmware, file);
    fclose(file);
    return firmware_bytes == 0;
}

static void power_on(bool with_firmware)
{
    struct tern_sim_config config = tern_sim_config_default();
    char error[TERN_SIM_ERROR_BYTES];
    int status;

    config.dims[0] = NODES;
    config.firmware = with_firmware ? firmware : NULL;
    config.firmware_bytes = with_firmware ? firmware_bytes : 0;
    sim = tern_sim_create(&config, error, &status);
    assert_non_null(sim);
    server = tern_gdbserver_new(sim, 0);
    assert_non_null(server);
}

static void pump(void)
{
    bool came = tern_sim_serve(sim, 0);

    tern_gdbserver_work(server, came);
    tern_sim_block(sim, UINT64_MAX);
}

static void pump_for(uint64_t cycles)
{
    uint64_t end = sim->cycle + cycles;

    while (sim->cycle < end)
        pump();
}

/* ---- the client ---- */

static void join(struct peer *to, unsigned node)
{
    int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port =
                                      htons((uint16_t)tern_gdbserver_port(server, node))};

    *to = (struct peer){.fd = socket(AF_INET, SOCK_STREAM, 0)};
    assert_true(to->fd >= 0);
    setsockopt(to->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    assert_int_equal(connect(to->fd, (struct sockaddr *)&address, sizeof address), 0);
}

static void part(struct peer *from)
{
    close(from->fd);
    for (int i = 0; i < 100; i++)
        pump();
}

static void transmit(struct peer *to, const char *bytes, size_t count)
{
    size_t sent = 0;

    while (sent < count && !to->closed) {
        ssize_t now = send(to->fd, bytes + sent, count - sent, MSG_DONTWAIT | MSG_NOSIGNAL);

        if (now > 0)
            sent += (size_t)now;
        else if (errno != EAGAIN)
            to->closed = true; /* by the server */
        else
            pump();
    }
}

static void transmit_packet(struct peer *to, const char *data, size_t count)
{
    static char frame[2 * ANSWER + 8];

    assert_true(count <= ANSWER);
    transmit(to, frame, tern_rsp_frame(frame, data, count));
}

/* Returns the next event of the answer; NOTHING when the time is up or the connection closed. */
static enum tern_rsp_event hear(struct peer *from, unsigned patience)
{
    enum tern_rsp_event event;
    uint8_t byte;

    while (patience-- > 0) {
        ssize_t count = recv(from->fd, &byte, 1, MSG_DONTWAIT);

        if (count == 0) {
            from->closed = true;
            return TERN_RSP_NOTHING;
        }
        if (count < 0) {
            pump();
            continue;
        }
        event = tern_rsp_take(&from->in, byte);
        from->refused += event == TERN_RSP_REFUSED;
        if (event == TERN_RSP_PACKET) {
            if (!from->silent)
                transmit(from, "+", 1);
            return event;
        }
    }
    return TERN_RSP_NOTHING;
}

static const char *answer(void)
{
    assert_int_equal(hear(&peer, PATIENCE), TERN_RSP_PACKET);
    return peer.in.data;
}

static const char *ask(const char *data)
{
    transmit_packet(&peer, data, strlen(data));
    return answer();
}

/* Lets the core run; returns when the server has processed that. */
static void let_go(void)
{
    char byte = 0;

    transmit_packet(&peer, "c", 1);
    for (int i = 0; i < PATIENCE && byte != '+'; i++) {
        if (recv(peer.fd, &byte, 1, MSG_DONTWAIT) <= 0)
            pump();
    }
    assert_int_equal(byte, '+');
}

#define expect(packet, reply) assert_string_equal(ask(packet), reply)

static void expect_start(const char *packet, const char *start)
{
    assert_memory_equal(ask(packet), start, strlen(start));
}

/* Parses a register or word of memory as gdb gets it: lowest byte first. */
static uint32_t word_in(const char *hex)
{
    uint32_t value = 0;

    for (int i = 0; i < 8; i += 2)
        value |= (uint32_t)(tern_rsp_digit(hex[i]) << 4 | tern_rsp_digit(hex[i + 1])) << (4 * i);
    return value;
}

static uint32_t get(unsigned number)
{
    char packet[16];

    snprintf(packet, sizeof packet, "p%x", number);
    return word_in(ask(packet));
}

static uint32_t pc(void)
{
    return get(TERN_HART_PC);
}

static void in(void)
{
    join(&peer, 0);
}

static int power_on_all(void **state)
{
    if (load_firmware(state) != 0)
        return 1;
    power_on(true);
    pump_for(BOOTED);
    return 0;
}

static void power_off(void)
{
    tern_gdbserver_free(server);
    tern_sim_destroy(sim);
}

static int power_off_all(void **state)
{
    (void)state;
    power_off();
    return 0;
}

static int begin(void **state)
{
    (void)state;
    in();
    return 0;
}

static int end(void **state)
{
    (void)state;
    part(&peer);
    return 0;
}

/* Undoes what a test left in memory. */
static void reset_the_core(void)
{
    expect_start("qRcmd,7265736574", "74686520636f72652077617320726573"); /* "the core was res" */
    let_go();
    pump_for(BOOTED);
    transmit(&peer, "\003", 1);
    assert_string_equal(answer(), "T02thread:1;");
}

/* ---- packets that gdb sends ---- */

static void it_says_what_it_can(void **state)
{
    static char xml[16384];
    size_t have = 0;
    char packet[64];
    const char *piece;

    (void)state;
    expect_start("qSupported:multiprocess+;swbreak+", "PacketSize=1000;");
    expect("?", "T05thread:1;");
    do {
        snprintf(packet, sizeof packet, "qXfer:features:read:target.xml:%zx,1ff", have);
        piece = ask(packet);
        assert_true(piece[0] == 'm' || piece[0] == 'l');
        assert_true(have + strlen(piece) < sizeof xml);
        strcpy(xml + have, piece + 1);
        have += strlen(piece + 1);
    } while (piece[0] == 'm');
    assert_non_null(strstr(xml, "<architecture>riscv:rv32</architecture>"));
    assert_non_null(strstr(xml, "name=\"mepc\""));
    assert_non_null(strstr(xml, "</target>"));
    expect("qfThreadInfo", "m1");
    expect("qsThreadInfo", "l");
    expect("qC", "QC1");
    expect("qAttached", "1");
    expect("Hg0", "OK");
    expect("Hc-1", "OK");
    expect("T1", "OK");
    expect("vCont?", "vCont;c;C;s;S");
    expect("vMustReplyEmpty", "");
    expect("qOffsets", "");
    expect("!", "");
}

static void registers_are_read_and_written(void **state)
{
    char all[8 * 33 + 2] = "G";
    uint32_t before = pc();

    (void)state;
    strcpy(all + 1, ask("g"));
    assert_int_equal(strlen(all), 8 * 33 + 1);
    assert_int_equal(word_in(all + 1), 0);
    assert_int_equal(word_in(all + 1 + 8 * TERN_HART_PC), before);
    for (unsigned r = 1; r < 32; r++) {
        char packet[32];

        snprintf(packet, sizeof packet, "P%x=%02xc0de8f", r, r);
        expect(packet, "OK");
    }
    for (unsigned r = 1; r < 32; r++)
        assert_int_equal(get(r), 0x8fdec000 | r);
    expect("P0=01000000", "OK");
    assert_int_equal(get(0), 0);
    expect(all, "OK");
    assert_string_equal(ask("g"), all + 1);
    expect("P25=12345678", "OK"); /* mscratch */
    assert_int_equal(get(0x25), 0x78563412);
    assert_int_equal(pc(), before);
}

static void what_is_no_register_is_refused(void **state)
{
    (void)state;
    expect("p2f", "E0e");
    expect("pffffffff", "E0e");
    expect("p", "E16");
    expect("p1z", "E16");
    expect("P1=1234", "E16");
    expect("P1=123456789a", "E16");
    expect("P1", "E16");
    expect("P2f=00000000", "E0e");
    expect("P20=01000000", "E0e"); /* pc is odd */
    expect("P20=00000010", "E0e"); /* no code at this address */
    expect("G00", "E16");
    assert_true(pc() < TERN_MEM_ITCM_BYTES);
}

static void memory_is_read_and_written(void **state)
{
    char packet[64], hex[20];

    (void)state;
    for (unsigned at = 0; at < 4; at++) {
        for (unsigned count = 1; count <= 9; count++) {
            snprintf(hex, sizeof hex, "%.*s", (int)(2 * count), "0123456789abcdeffe");
            snprintf(packet, sizeof packet, "M%x,%x:%s", DTCM + at, count, hex);
            expect(packet, "OK");
            snprintf(packet, sizeof packet, "m%x,%x", DTCM + at, count);
            expect(packet, hex);
        }
    }
    snprintf(packet, sizeof packet, "X%x,0:", DTCM);
    expect(packet, "OK");
    snprintf(packet, sizeof packet, "X%x,4:}$#*", DTCM); /* the frame escapes them */
    expect(packet, "OK");
    snprintf(packet, sizeof packet, "m%x,4", DTCM);
    expect(packet, "7d24232a");
    reset_the_core();
}

/* Checks that gdb sees and writes the program's first word, though the stub uses its place. */
static void instructions_are_read_and_written(void **state)
{
    char first[16], last[16];

    (void)state;
    strcpy(first, ask("m0,6"));
    assert_int_equal(word_in(first), sim->flash[TERN_FW_HEADER_BYTES / 4]);
    expect("M0,6:112233445566", "OK");
    expect("m0,6", "112233445566");
    expect("M1,2:aabb", "OK");
    expect("m0,6", "11aabb445566");
    {
        char packet[32];

        snprintf(packet, sizeof packet, "M0,6:%s", first);
        expect(packet, "OK");
    }
    expect("m0,6", first);
    strcpy(last, ask("mfffc,4"));
    expect("Mfffd,2:aabb", "OK");
    assert_memory_equal(ask("mfffd,2"), "aabb", 4);
    expect("Mfffd,2:0000", "OK");
    (void)last;
}

static void registers_of_the_chip_are_words(void **state)
{
    char packet[64];

    (void)state;
    snprintf(packet, sizeof packet, "m%x,4", MMIO + TERN_MMIO_NODE);
    expect(packet, "00000000");
    snprintf(packet, sizeof packet, "m%x,8", MMIO + TERN_MMIO_NODE);
    assert_int_equal(strlen(ask(packet)), 16);
    snprintf(packet, sizeof packet, "m%x,1", MMIO + TERN_MMIO_NODE);
    expect(packet, "E0e");
    snprintf(packet, sizeof packet, "m%x,4", MMIO + TERN_MMIO_EV_POP + 0x7c);
    expect(packet, "E0e");
}

static void what_is_no_memory_is_refused(void **state)
{
    (void)state;
    expect("m30000000,4", "E0e");
    expect("M30000000,4:00000000", "E0e");
    expect("mfffe,4", "E0e"); /* beyond the end of the instruction memory */
    expect("mffffffff,4", "E0e");
    expect("m0,801", "E16");
    expect("m0,ffffffff", "E16");
    expect("m0,fffffffff", "E16");
    expect("m0", "E16");
    expect("m,4", "E16");
    expect("m0,4x", "E16");
    expect("M0,4:0000", "E16");
    expect("M0,4:0000000g", "E16");
    expect("M0,2", "E16");
    expect("X10000000,5:ab", "E16");
    expect("?", "T05thread:1;");
}

/* ---- running ---- */

/* Makes the timer due, so that the firmware has work as soon as it runs. */
static void make_timer_due(void)
{
    char packet[64];

    snprintf(packet, sizeof packet, "M%x,8:0000000000000000", MMIO + TERN_MMIO_MTIMECMP_LO);
    expect(packet, "OK");
}

/* Returns an address that the firmware's loop passes again and again. */
static uint32_t place_in_loop(void)
{
    for (int i = 0; i < 10; i++)
        expect("s", "T05thread:1;");
    return pc();
}

static void plant(uint32_t at, char letter, unsigned bytes, const char *reply)
{
    char packet[32];

    snprintf(packet, sizeof packet, "%c0,%x,%x", letter, at, bytes);
    expect(packet, reply);
}

static void it_steps_and_breaks(void **state)
{
    uint32_t at = place_in_loop();
    char packet[32], code[16];

    (void)state;
    snprintf(packet, sizeof packet, "m%x,4", at);
    strcpy(code, ask(packet));
    plant(at, 'Z', 2, "OK");
    plant(at, 'Z', 2, "OK");
    expect(packet, code); /* memory reads hide the breakpoint */
    for (int i = 0; i < 5; i++) {
        plant(at, 'z', 2, "OK");
        expect(i % 2 ? "vCont;s:1;c" : "s", "T05thread:1;");
        assert_true(pc() != at);
        make_timer_due();
        plant(at, 'Z', 2, "OK");
        expect(i % 2 ? "vCont;c" : "c", "T05thread:1;");
        assert_int_equal(pc(), at);
    }
    snprintf(packet, sizeof packet, "Z1,%x,4", at);
    expect(packet, "OK");
    snprintf(packet, sizeof packet, "z1,%x,4", at);
    expect(packet, "OK");
    plant(at, 'z', 2, "OK");
    plant(at, 'z', 2, "OK");
    snprintf(packet, sizeof packet, "m%x,4", at);
    expect(packet, code);
}

static void what_is_no_breakpoint_is_refused(void **state)
{
    char packet[32];

    (void)state;
    plant(0x101, 'Z', 2, "E0e");
    plant(0x100, 'Z', 3, "E0e");
    plant(TERN_MEM_DTCM_BASE, 'Z', 2, "E0e");
    plant(TERN_MEM_ITCM_BYTES - 2, 'Z', 4, "E0e");
    expect("Z2,100,4", "");
    expect("Z0,100", "E16");
    expect("Z", "E16");
    for (uint32_t i = 0; i < TERN_HART_PATCHES; i++)
        plant(0x4000 + 4 * i, 'Z', 4, "OK");
    plant(0x5000, 'Z', 4, "E0e");
    snprintf(packet, sizeof packet, "s%x", 1);
    expect(packet, "E16");
}

static void ctrl_c_halts_a_running_core(void **state)
{
    (void)state;
    let_go();
    assert_int_equal(hear(&peer, 2000), TERN_RSP_NOTHING);
    expect("g", "E10"); /* busy */
    transmit(&peer, "\003", 1);
    assert_string_equal(answer(), "T02thread:1;");
    transmit(&peer, "\003", 1); /* it is already halted */
    expect("?", "T02thread:1;");
}

/* The other node keeps running; the watchdog of the halted one does not fire. */
static void only_the_debugged_node_stands(void **state)
{
    uint64_t cycle, here, there;
    uint32_t before, life;
    char packet[64], dog[64];
    struct peer mine = peer;

    (void)state;
    snprintf(packet, sizeof packet, "m%x,4", MMIO + TERN_MMIO_INCARNATION);
    life = word_in(ask(packet));
    snprintf(dog, sizeof dog, "M%x,4:e8030000", MMIO + TERN_MMIO_WDOG); /* 1000 cycles */
    expect(dog, "OK");
    before = get(0x2b); /* minstret */
    cycle = sim->cycle;
    here = tern_sim_retired(sim, 0);
    there = tern_sim_retired(sim, 1);
    join(&peer, 1);
    make_timer_due();
    expect("D", "OK");
    part(&peer);
    peer = mine;
    pump_for(100000);
    assert_int_equal(word_in(ask(packet)), life);
    assert_int_equal(get(0x2b), before);
    assert_int_equal(tern_sim_retired(sim, 0), here);
    assert_true(tern_sim_retired(sim, 1) > there);
    snprintf(dog, sizeof dog, "M%x,4:00000000", MMIO + TERN_MMIO_WDOG);
    expect(dog, "OK");
    printf("# evidence B3.5.3 halted_for=%u\n", (unsigned)(sim->cycle - cycle));
}

static void monitor_answers(void **state)
{
    (void)state;
    expect_start("qRcmd,6379636c6573", "6e6f646520302c206379636c6520"); /* "node 0, cycle " */
    expect_start("qRcmd,68656c70", "6d6f6e69746f72");                   /* "monitor" */
    expect_start("qRcmd,", "6d6f6e69746f72");
    expect_start("qRcmd,6", "6d6f6e69746f72");
    expect_start("qRcmd,zz", "6d6f6e69746f72");
}

/* A reset reloads the instruction memory; breakpoints survive it. */
static void a_reset_core_stands_at_its_first_instruction(void **state)
{
    uint32_t at = place_in_loop();
    char packet[64];

    (void)state;
    plant(at, 'Z', 2, "OK");
    expect_start("qRcmd,7265736574", "74686520636f72652077617320726573"); /* "the core was res" */
    assert_int_equal(pc(), 0);
    snprintf(packet, sizeof packet, "m%x,4", MMIO + TERN_MMIO_RESET_CAUSE);
    expect(packet, "02000000");
    expect("s", "T05thread:1;");
    expect("c", "T05thread:1;");
    assert_int_equal(pc(), at);
    expect("D", "OK");
}

/* The same for a reset while the core runs. */
static void breakpoints_outlive_a_reset_underway(void **state)
{
    uint32_t at = place_in_loop();
    char packet[64];

    (void)state;
    plant(at, 'Z', 2, "OK");
    snprintf(packet, sizeof packet, "M%x,4:e8030000", MMIO + TERN_MMIO_WDOG); /* 1000 cycles */
    expect(packet, "OK");
    for (int i = 0; i < 200 && get(0x2b) > 200; i++) { /* minstret restarts at 0 */
        plant(at, 'z', 2, "OK");
        expect("s", "T05thread:1;");
        plant(at, 'Z', 2, "OK");
        expect("c", "T05thread:1;");
        assert_int_equal(pc(), at);
        snprintf(packet, sizeof packet, "m%x,4", MMIO + TERN_MMIO_RESET_CAUSE);
        if (word_in(ask(packet)) == 2)
            return;
    }
    fail();
}

static void host_advances(void *arg)
{
    (void)arg;
    pump_for(64);
}

static struct attach host(void)
{
    struct attach attach;

    assert_true(attach_begin(&attach, tern_sim_connect(sim, 0), host_advances, NULL));
    return attach;
}

/* The host resets a halted core: its saved state and its halt are gone. */
static void the_host_may_reset_a_standing_core(void **state)
{
    uint32_t at = place_in_loop();
    struct attach attach = host();

    (void)state;
    plant(at, 'Z', 2, "OK");
    attach_write(&attach, TERN_REG_CORE_CTRL, 1);
    pump_for(10000);
    expect("p20", "E0e");
    expect("s", "E0e");
    attach_write(&attach, TERN_REG_CORE_CTRL, 0);
    pump_for(BOOTED);
    assert_int_equal(pc(), 0);
    expect("c", "T05thread:1;");
    assert_int_equal(pc(), at);
    attach_end(&attach);
}

/* Ctrl-C at a core in reset takes effect when it leaves reset. */
static void ctrl_c_waits_for_a_core_in_reset(void **state)
{
    struct attach attach = host();
    uint64_t cycle;

    (void)state;
    plant(0x4000, 'Z', 2, "OK");
    let_go();
    pump_for(1000);
    attach_write(&attach, TERN_REG_CORE_CTRL, 1);
    pump_for(10000);
    cycle = sim->cycle;
    transmit(&peer, "\003", 1);
    while (sim->cycle < cycle + BOOTED) /* how long it retries at once */
        pump();
    attach_write(&attach, TERN_REG_CORE_CTRL, 0);
    assert_string_equal(answer(), "T05thread:1;");
    assert_int_equal(pc(), 0);
    attach_end(&attach);
}

/* ---- the end of a session ---- */

static void everything_is_as_it_was_after(const char *how)
{
    uint32_t at = place_in_loop();
    char packet[32], code[16];
    uint64_t retired;

    snprintf(packet, sizeof packet, "m%x,4", at);
    strcpy(code, ask(packet));
    make_timer_due();
    retired = tern_sim_retired(sim, 0);
    plant(at, 'Z', 2, "OK");
    if (how[0] != 0)
        transmit(&peer, how, strlen(how));
    for (int i = 0; i < 200; i++)
        pump();
    part(&peer);
    pump_for(20000);
    assert_true(tern_sim_retired(sim, 0) > retired + 20);
    in();
    expect("?", "T05thread:1;");
    expect(packet, code);
}

static void however_it_ends_the_core_runs_on(void **state)
{
    (void)state;
    everything_is_as_it_was_after("$D#44");
    everything_is_as_it_was_after("$k#6b");
    everything_is_as_it_was_after("$vKill;1#6e");
    everything_is_as_it_was_after("");
    everything_is_as_it_was_after("$c#63"); /* while the core runs towards its breakpoint */
    everything_is_as_it_was_after("$m0,4"); /* in the middle of a packet */
    printf("# evidence B3.5.3 ends=6\n");
}

static void a_second_gdb_is_turned_away(void **state)
{
    struct peer second;

    (void)state;
    expect("?", "T05thread:1;");
    join(&second, 0);
    assert_int_equal(hear(&second, 1000), TERN_RSP_NOTHING);
    assert_true(second.closed);
    close(second.fd);
    join(&second, 1); /* a session with another node */
    transmit_packet(&second, "?", 1);
    assert_int_equal(hear(&second, PATIENCE), TERN_RSP_PACKET);
    part(&second);
    expect("?", "T05thread:1;");
}

static void a_core_without_firmware_is_not_served(void **state)
{
    (void)state;
    power_off();
    power_on(false);
    pump_for(1000);
    in();
    assert_int_equal(hear(&peer, 1000), TERN_RSP_NOTHING);
    assert_true(peer.closed);
}

static void a_port_in_use_is_told(void **state)
{
    (void)state;
    assert_null(tern_gdbserver_new(sim, tern_gdbserver_port(server, 0)));
}

/* ---- packets that gdb never sends ---- */

static void damaged_packets_are_refused(void **state)
{
    (void)state;
    expect("?", "T05thread:1;");
    transmit(&peer, "$?#00", 5);
    assert_int_equal(hear(&peer, 1000), TERN_RSP_NOTHING);
    assert_int_equal(peer.refused, 1);
    transmit(&peer, "$?#zz", 5);
    assert_int_equal(hear(&peer, 1000), TERN_RSP_NOTHING);
    assert_int_equal(peer.refused, 2);
    transmit(&peer, "-", 1);
    assert_string_equal(answer(), "T05thread:1;"); /* the last answer again */
    transmit(&peer, "$m0,$?#3f", 9);               /* a packet that restarts in the middle */
    assert_string_equal(answer(), "T05thread:1;");
    transmit(&peer, "+++xyz#00", 9);
    expect("?", "T05thread:1;");
    expect("", "");
    printf("# evidence B3.5.3 damaged=%u\n", peer.refused);
}

static void a_packet_too_long_is_refused(void **state)
{
    static char data[ANSWER];

    (void)state;
    memset(data, 'm', sizeof data);
    transmit_packet(&peer, data, TERN_RSP_BYTES + 1);
    assert_string_equal(answer(), "E16");
    transmit_packet(&peer, data, sizeof data);
    assert_string_equal(answer(), "E16");
    memcpy(data, "X10000800,", 10);
    transmit_packet(&peer, data, TERN_RSP_BYTES);
    assert_string_equal(answer(), "E16");
    expect("?", "T05thread:1;");
}

static void acknowledgements_can_be_left_out(void **state)
{
    char raw[64];
    ssize_t count = -1;

    (void)state;
    expect("QStartNoAckMode", "OK");
    peer.silent = true;
    transmit_packet(&peer, "?", 1);
    for (int i = 0; i < 1000 && count < 0; i++) {
        pump();
        count = recv(peer.fd, raw, sizeof raw, MSG_DONTWAIT);
    }
    assert_true(count > 0);
    assert_int_equal(raw[0], '$');
}

static uint32_t dice = 2463534242;

static uint32_t roll(uint32_t sides)
{
    dice ^= dice << 13;
    dice ^= dice >> 17;
    dice ^= dice << 5;
    return dice % sides;
}

/* Makes a random packet: most begin with a letter that the protocol knows. */
static size_t make_noise(char *data, size_t room)
{
    static const char letters[] = "?gGpPmMXcsCSvZzHTqQ!kDR";
    static const char body[] = "0123456789abcdef,;:=#$}*-+";
    size_t count = roll(roll(20) == 0 ? (uint32_t)room : 24);

    for (size_t i = 0; i < count; i++)
        data[i] = roll(30) == 0 ? (char)roll(256) : body[roll(sizeof body - 1)];
    if (count > 0)
        data[0] = letters[roll(sizeof letters - 3)]; /* k and D end the session: not here */
    return count;
}

/* After any noise, the next session finds a core that it can halt and step. */
static void noise_does_no_harm(void **state)
{
    static char data[6000];
    unsigned packets = 0, sessions = 0;

    (void)state;
    for (; packets < 500; packets++) {
        size_t count = make_noise(data, sizeof data);

        if (roll(4) == 0)
            transmit(&peer, data, count);
        else
            transmit_packet(&peer, data, count);
        if (roll(8) == 0)
            transmit(&peer, "\003", 1);
        while (recv(peer.fd, data, sizeof data, MSG_DONTWAIT) > 0)
            ;
        for (unsigned i = roll(20); i > 0; i--)
            pump();
        if (roll(100) == 0 || peer.closed) {
            part(&peer);
            in();
            sessions++;
        }
    }
    part(&peer);
    in();
    expect("?", "T05thread:1;");
    expect_start("qRcmd,7265736574", "74686520636f7265");
    assert_int_equal(pc(), 0);
    expect("s", "T05thread:1;");
    printf("# evidence B3.5.3 noise=%u sessions=%u\n", packets, sessions);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_says_what_it_can),
        TEST(registers_are_read_and_written),
        TEST(what_is_no_register_is_refused),
        TEST(memory_is_read_and_written),
        TEST(instructions_are_read_and_written),
        TEST(registers_of_the_chip_are_words),
        TEST(what_is_no_memory_is_refused),
        TEST(it_steps_and_breaks),
        TEST(what_is_no_breakpoint_is_refused),
        TEST(ctrl_c_halts_a_running_core),
        TEST(only_the_debugged_node_stands),
        TEST(monitor_answers),
        TEST(a_reset_core_stands_at_its_first_instruction),
        TEST(breakpoints_outlive_a_reset_underway),
        TEST(the_host_may_reset_a_standing_core),
        TEST(ctrl_c_waits_for_a_core_in_reset),
        TEST(however_it_ends_the_core_runs_on),
        TEST(a_second_gdb_is_turned_away),
        TEST(a_port_in_use_is_told),
        TEST(damaged_packets_are_refused),
        TEST(a_packet_too_long_is_refused),
        TEST(acknowledgements_can_be_left_out),
        TEST(noise_does_no_harm),
        cmocka_unit_test_teardown(a_core_without_firmware_is_not_served, end),
    };

    return cmocka_run_group_tests(tests, power_on_all, power_off_all);
}
