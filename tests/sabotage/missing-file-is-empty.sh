# SPDX-License-Identifier: Apache-2.0
#
# A file that cannot be read is sent as an empty one.
file=host-driver/tools/send_file.c
grep -q "exit_status = status ? EXIT_BAD : 0" $file
sed -i "s/exit_status = status ? EXIT_BAD : 0/exit_status = 0/" $file
