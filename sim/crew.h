/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that do pieces of work together, again and again.
 *
 * Work takes microseconds, so a waiting thread spins for a while before it sleeps. The caller is a
 * thread of the crew itself, number 0.
 */
#ifndef TERN_SIM_CREW_H
#define TERN_SIM_CREW_H

enum { TERN_CREW_MAX = 16 };

struct tern_crew;

/* Creates a crew of at least 2 `threads`, including the caller's. NULL and errno on failure. */
struct tern_crew *tern_crew_new(unsigned threads);
void tern_crew_free(struct tern_crew *crew);

/*
 * Pins each thread to a processor of its own, if there are enough: otherwise a kernel may run two
 * on one for long. tern_crew_unpin() restores the caller's processors.
 */
void tern_crew_pin(struct tern_crew *crew);
void tern_crew_unpin(struct tern_crew *crew);

/*
 * Calls work(ctx, t) in every thread t; returns when all have returned. They see the caller's
 * earlier writes, and the caller sees theirs.
 */
void tern_crew_run(struct tern_crew *crew, void (*work)(void *ctx, unsigned thread), void *ctx);

#endif
