#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The mutants of the core's proofs as a test: each must find its place, and its proof must fail.
exec sh "${0%/*}/core.sh" mutants
