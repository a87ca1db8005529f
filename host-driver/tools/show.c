/* SPDX-License-Identifier: Apache-2.0 */
/* tern list, info, stat, log: show the state of a NIC. */
#include "ports.h"
#include "tool.h"

static void print_links(const struct tern_info *info)
{
    for (unsigned port = 0; port < info->ports && port < TERN_PORTS; port++)
        printf(" %s %s", tern_port_names[port], info->links_up >> port & 1 ? "up" : "DOWN");
}

/* ---- list */

/* Lists a NIC. Returns 0, or why it does not answer. */
static int list_one(const char *uri)
{
    struct tern_device *device;
    struct tern_info info;
    int status;

    printf("%s  ", uri);
    status = tern_open(uri, &device);
    if (status) {
        printf("%s\n", tern_strerror(status));
        return status;
    }
    status = tern_query(device, &info);
    if (!status) {
        printf("ready, firmware 0x%x, incarnation %u, links", info.fw_version, info.incarnation);
        print_links(&info);
        printf("\n");
    } else {
        printf("%s\n", tern_strerror(status));
    }
    tern_close(device);
    return status;
}

int cmd_list(int argc, char **argv)
{
    const struct argp argp =
        {.doc = "Lists the NICs of the running simulator and their state. Fails when "
                                     "none of them answers."};
    int count, answered = 0;
    char **uris;

    argp_parse(&argp, argc, argv, 0, NULL, NULL);
    count = tool_nics(&uris);
    if (count < 0)
        return EXIT_BAD;
    for (int i = 0; i < count; i++)
        answered += !list_one(uris[i]);
    tool_nics_free(uris, count);
    return answered ? EXIT_DONE : tool_fail(0, "no NIC answers");
}

/* ---- info */

static const char *tier_of(const struct tern_info *info)
{
    if (info->modelled)
        return "soft: firmware and models of the hardware, natively";
    return info->clock_hz ? "board" : "rtl";
}

static void print_info(const struct tern_info *info, uint64_t cycles, uint64_t instructions,
                       uint64_t busy)
{
    char node[TERN_NODE_TEXT];

    printf("node            %s of a %s %ux%ux%u, incarnation %u\n",
           tern_node_format(info->node, node), info->dims >> 15 ? "mesh" : "torus",
           (info->dims & 31) + 1, (info->dims >> 5 & 31) + 1, (info->dims >> 10 & 31) + 1,
           info->incarnation);
    printf("links          ");
    print_links(info);
    printf("\ntier            %s\n", tier_of(info));
    printf("contract        %u.%u\n", info->abi_version >> 16, info->abi_version & 0xffff);
    printf("firmware        0x%x, %u bytes\n", info->fw_version, info->fw_bytes);
    printf("function        %u of %u\n", info->function, info->functions);
    printf("queues          %u, of them for applications from %u\n", info->queues,
           info->first_queue);
    printf("regions         %u\n", info->regions);
    printf("byte counters   %u\n", info->counters);
    printf("operations      %u in flight\n", info->operations);
    printf("packet payload  %u bytes\n", info->max_payload);
    printf("largest put     %u bytes\n", info->put_bytes_max);
    printf("link data       %u bits\n", info->link_data_bits);
    printf("tree network    %s\n", info->features & TERN_FEATURE_COMBINE ? "yes" : "no");
    if (info->modelled)
        return; /* the soft tier has no clock cycles and counts no instructions */
    printf("host latency    %u cycles\n", info->host_latency);
    printf("time-out        %u cycles without progress\n", info->op_timeout);
    if (info->clock_hz)
        printf("clock           %u Hz\n", info->clock_hz);
    else
        printf("clock           simulated\n");
    printf("cycles          %llu\n", (unsigned long long)cycles);
    printf("core            %llu instructions in %llu cycles awake\n",
           (unsigned long long)instructions, (unsigned long long)busy);
}

int cmd_info(int argc, char **argv)
{
    const char *uri = tool_uri_argument(argc, argv, "Shows what a NIC is.");
    struct tern_device *device = tool_open(uri);
    uint64_t cycles = 0, instructions = 0, busy = 0;
    struct tern_info info;
    int status;

    if (!device)
        return EXIT_BAD;
    status = tern_query(device, &info);
    if (!status)
        status = tern_cycles(device, &cycles);
    if (!status)
        status = tern_core_counters(device, &instructions, &busy);
    if (!status)
        print_info(&info, cycles, instructions, busy);
    tern_close(device);
    return status ? tool_fail(status, "cannot query %s", uri) : 0;
}

/* ---- stat */

int cmd_stat(int argc, char **argv)
{
    const char *uri = tool_uri_argument(argc, argv, "Shows the statistics of a NIC.");
    struct tern_device *device = tool_open(uri);
    uint64_t values[TERN_STAT_COUNT];
    int status;

    if (!device)
        return EXIT_BAD;
    status = tern_stats(device, values);
    for (unsigned i = 0; !status && i < TERN_STAT_COUNT; i++)
        if (tern_stat_name(i))
            printf("%-18s %12llu  %s\n", tern_stat_name(i), (unsigned long long)values[i],
                   tern_stat_text(i));
    tern_close(device);
    return status ? tool_fail(status, "cannot read statistics of %s", uri) : 0;
}

/* ---- log */

static void print_line(void *arg, const char *text)
{
    (void)arg;
    printf("%s\n", text);
}

int cmd_log(int argc, char **argv)
{
    const char *uri = tool_uri_argument(argc, argv, "Shows what the firmware logged: cycle, text.\v"
                                                    "Only the first process on a NIC may.");
    struct tern_device *device = tool_open(uri);
    int lines;

    if (!device)
        return EXIT_BAD;
    lines = tern_log_read(device, print_line, NULL);
    tern_close(device);
    return lines < 0 ? tool_fail(lines, "cannot read the log of %s", uri) : 0;
}
