/* SPDX-License-Identifier: Apache-2.0 */
/* See top_row.h. */
#include "top_row.h"

#include <stdio.h>

#include "ports.h"

enum { RATE_TEXT = 16 };

const char *top_head(void)
{
    return "node      links     queues regions   ops |  out pkt/s   in pkt/s  fwd pkt/s    out B/s"
           "     in B/s |  desc/s  core";
}

char *top_rate(char *text, size_t bytes, uint64_t count, int64_t ms)
{
    static const char *const units[] = {"", "k", "M", "G", "T"};
    double rate = ms > 0 ? (double)count * 1000 / (double)ms : 0;
    unsigned unit = 0;

    while (rate >= 999.5 && unit < 4) {
        rate /= 1000;
        unit++;
    }
    snprintf(text, bytes, "%.*f%s", unit == 0 || rate >= 99.95 ? 0 : rate >= 9.995 ? 1 : 2, rate,
             units[unit]);
    return text;
}

static const char *rate_of(char *text, const struct top_look *before, const struct top_look *now,
                           unsigned stat)
{
    return top_rate(text, RATE_TEXT, now->stats[stat] - before->stats[stat], now->ms - before->ms);
}

/* Formats the share of the cycles in which the core was awake; the soft tier counts none. */
static const char *core_load(char *text, size_t bytes, const struct top_look *before,
                             const struct top_look *now)
{
    uint64_t cycles = now->cycles - before->cycles, busy = now->busy - before->busy;

    if (now->info.modelled || !cycles)
        snprintf(text, bytes, "-");
    else
        snprintf(text, bytes, "%.0f %%", 100 * (double)busy / (double)cycles);
    return text;
}

/* Formats the links, "6 of 6", and after the line those that are down. */
static unsigned links_up(const struct tern_info *info)
{
    unsigned up = 0;

    for (unsigned port = 0; port < info->ports && port < TERN_PORTS; port++)
        up += info->links_up >> port & 1;
    return up;
}

static void name_down(char *text, size_t bytes, const struct tern_info *info)
{
    size_t used = 0;

    text[0] = 0;
    for (unsigned port = 0; port < info->ports && port < TERN_PORTS; port++)
        if (!(info->links_up >> port & 1) && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? " " : "  DOWN: ",
                                     tern_port_names[port]);
}

char *top_row(char *text, size_t bytes, const struct top_look *before, const struct top_look *now)
{
    char node[TERN_NODE_TEXT], rates[6][RATE_TEXT], core[RATE_TEXT], down[48];

    name_down(down, sizeof(down), &now->info);
    snprintf(text, bytes, "%-9s %u of %u %9llu %7llu %5llu | %10s %10s %10s %10s %10s | %7s %5s%s",
             tern_node_format(now->info.node, node), links_up(&now->info), now->info.ports,
             (unsigned long long)now->stats[TERN_STAT_used_queues],
             (unsigned long long)now->stats[TERN_STAT_used_regions],
             (unsigned long long)now->stats[TERN_STAT_used_operations],
             rate_of(rates[0], before, now, TERN_STAT_tx_packets),
             rate_of(rates[1], before, now, TERN_STAT_rx_packets),
             rate_of(rates[2], before, now, TERN_STAT_link_forwarded),
             rate_of(rates[3], before, now, TERN_STAT_tx_bytes),
             rate_of(rates[4], before, now, TERN_STAT_rx_put_bytes),
             rate_of(rates[5], before, now, TERN_STAT_fw_descs),
             core_load(core, sizeof(core), before, now), down);
    return text;
}
