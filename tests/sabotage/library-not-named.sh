# SPDX-License-Identifier: Apache-2.0
#
# The pkg-config file names no library.
file=host-driver/tern.pc.in
grep -q " -ltern" $file
sed -i "s/ -ltern//" $file
