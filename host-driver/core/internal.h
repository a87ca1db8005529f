/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All internal headers of the core, for tests that post descriptors which the public functions
 * would not write.
 */
#ifndef TERN_INTERNAL_H
#define TERN_INTERNAL_H

#include "device.h"
#include "queue.h"

#endif
