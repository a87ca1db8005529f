/* SPDX-License-Identifier: Apache-2.0 */
/* Linked nodes and list links, for the owner of a structure. */
#include <tern/table.h>

uint64_t tern_link(uint64_t addr, uint16_t generation)
{
    uint32_t words[2] = {0};

    TERN_SET(LNK, addr, words, addr);
    TERN_SET(LNK, generation, words, generation);
    return words[0] | (uint64_t)words[1] << 32;
}

uint64_t tern_link_addr(uint64_t link)
{
    const uint32_t words[2] = {(uint32_t)link, (uint32_t)(link >> 32)};

    return TERN_GET(LNK, addr, words);
}

uint16_t tern_link_generation(uint64_t link)
{
    const uint32_t words[2] = {(uint32_t)link, (uint32_t)(link >> 32)};

    return (uint16_t)TERN_GET(LNK, generation, words);
}

struct tern_rptr tern_link_follow(struct tern_rptr near, uint64_t link)
{
    TERN_SET(RPTR, addr, near.w, tern_link_addr(link));
    return near;
}

void tern_linked_init(void *node, uint64_t key, uint16_t generation)
{
    uint32_t *words = node;

    TERN_SET(NOD, key, words, key);
    TERN_SET(NOD, less, words, 0);
    TERN_SET(NOD, more, words, 0);
    TERN_SET(NOD, generation, words, generation);
}

/* The same memory is also accessed as 32-bit words. */
typedef uint64_t __attribute__((may_alias)) link_word;

/* Stores a link after the node that it leads to, because NICs read the structure meanwhile. */
static void publish(void *node, unsigned word, uint64_t link)
{
    __atomic_store_n((link_word *)node + word / 2, link, __ATOMIC_RELEASE);
}

void tern_linked_set_less(void *node, uint64_t link)
{
    publish(node, TERN_NOD_less_WORD, link);
}

void tern_linked_set_more(void *node, uint64_t link)
{
    publish(node, TERN_NOD_more_WORD, link);
}

void tern_linked_set_generation(void *node, uint16_t generation)
{
    uint32_t *word = (uint32_t *)node + TERN_NOD_generation_WORD;
    uint32_t user = *word & ~TERN_V(NOD, generation, UINT16_MAX);

    __atomic_store_n(word, user | TERN_V(NOD, generation, generation), __ATOMIC_RELEASE);
}

uint64_t tern_linked_less(const void *node)
{
    uint64_t link = TERN_GET(NOD, less, (const uint32_t *)node);

    return (uint32_t)link == 0 ? 0 : link;
}
