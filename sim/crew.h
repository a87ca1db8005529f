/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that do one piece of work together, again and again.
 *
 * Work takes microseconds, so a waiting thread spins for a while before it sleeps.  The one who
 * calls is a thread of the crew itself, number 0.
 */
#ifndef TERN_SIM_CREW_H
#define TERN_SIM_CREW_H

enum { TERN_CREW_MAX = 16 };

struct tern_crew;

/*
 * A crew of `threads`, 2 at least, the caller's among them.  NULL and errno when it cannot be had.
 */
struct tern_crew *tern_crew_new(unsigned threads);
void tern_crew_free(struct tern_crew *crew);

/*
 * Each thread stays on a processor of its own, if there are enough: a kernel may otherwise leave
 * two on one for long.  Unpinned, the caller goes where it might go before.
 */
void tern_crew_pin(struct tern_crew *crew);
void tern_crew_unpin(struct tern_crew *crew);

/* Calls work(ctx, t) in every thread t; returns when all have returned.  What the caller did before
 * they see, and it sees what they did. */
void tern_crew_run(struct tern_crew *crew, void (*work)(void *ctx, unsigned thread), void *ctx);

#endif
