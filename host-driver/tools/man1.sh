#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: man1.sh > tern.1
#
# The man page of the `tern` command. Its commands and options come from the programs' own --help,
# its exit codes from exits.def, so neither has a second copy.
set -eu

B=${B:-build}
tern=$B/bin/tern
version=$("$tern" --version)

# Escapes text for roff.
escape() { sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'; }

commands() { "$tern" --help | sed -n 's/^  \([a-z][a-z-]*\)  *\(.*\)/\1 \2/p'; }

printf '.\\" SPDX-License-Identifier: Apache-2.0\n'
printf '.TH TERN 1 "" "%s" "tern"\n' "$version"
cat << 'EOS'
.SH NAME
tern \- use, watch and simulate tern RDMA NICs
.SH SYNOPSIS
.B tern
.I COMMAND
.RI [ ARGUMENT ...]
.br
.B tern \-\-help
.br
.B tern \-\-version
.SH DESCRIPTION
.B tern sim
runs a torus of simulated NICs, each with a socket that speaks vfio-user. The other commands open a NIC as any program
with libtern does. All of them end with the reason on standard error when something fails.
.SH NAMING A NIC
.TP
.BR sim: \fIX.Y.Z\fR ", " sim: \fIX\fR
node of the running simulator; missing coordinates are 0
.TP
.BR sim: \fIPATH\fR
the socket PATH, which holds a slash
.SH COMMANDS
EOS
commands | while read -r name text; do
    printf '.SS tern %s\n' "$(printf '%s' "$name" | escape)"
    printf '%s\n' "$text" | escape
    printf '.PP\n.nf\n.ft CW\n'
    "$tern" "$name" --help | sed 's|^Usage: .*tern|Usage: tern|; s|^Usage: tern-|Usage: tern |' | escape
    printf '.ft\n.fi\n'
done
printf '.SH EXIT STATUS\n'
sed -n 's/^EXIT_CODE([A-Z]*, *\([0-9]*\), "\(.*\)")/\1 \2/p' host-driver/tools/exits.def | while read -r code text; do
    printf '.TP\n.B %s\n%s\n' "$code" "$text"
done
cat << 'EOS'
.SH ENVIRONMENT
.TP
.B TERN_SIM_DIR
folder of the simulator's sockets; else $XDG_RUNTIME_DIR/tern\-sim\-UID, else /tmp/tern\-sim\-UID
.TP
.B TERN_PATIENCE
seconds given to a firmware that boots, and to each admin command (60)
.TP
.B TERN_NO_PROCESS_VM
1: host memory is moved by messages, not by process_vm_readv(2)
.TP
.B TERN_NO_BELLS
1: each doorbell is a message, not a write to memory shared with the simulator
.SH EXAMPLES
.nf
.ft CW
tern sim \-\-torus 4x1x1 &
tern recv sim:1 &
tern put \-\-from sim:0 \-\-to POINTER \-\-data "hello, torus"
.ft
.fi
.PP
POINTER is what
.B tern recv
has printed.
.SH SEE ALSO
.BR tern (3),
the documents and examples in share/doc/tern of the installation
EOS
