# SPDX-License-Identifier: Apache-2.0
#
# A script among the tests cannot be executed.
chmod -x tests/system/board/packet.sh
touch tests/system/board/packet.sh
