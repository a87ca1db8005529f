#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests `make core-run` as described in docs/core.md: a C program from outside the tree runs, the
# exit status and the output follow tohost, a signature is written, a limit ends the run, and
# damaged files are refused before the core starts.
#
# TAP on stdout; run from the project root, after `make build/core/elfrun build/core/bench`.
set -u

root=$(pwd)
place=${B:-build}/core
elfrun=$root/$place/elfrun
bench=$root/$place/bench
cc=${RVCC:-riscv64-unknown-elf-gcc}
n=0 failed=0 files=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cp tests/core/env/start.S tests/core/env/link.ld "$dir" || exit 1

# result STATUS NAME: 0 is a pass.
result() {
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        sed 's/^/# /' "$dir/out" | head -n 5
        failed=1
    fi
}

# build NAME: compiles $dir/NAME.c to NAME.elf with the commands of docs/core.md.
build() {
    (cd "$dir" &&
        $cc -march=rv32imc_zicsr_zifencei -mabi=ilp32 --specs=picolibc.specs -O2 \
            -DPICOLIBC_INTEGER_PRINTF_SCANF -c start.S "$1.c" &&
        $cc -march=rv32imac -mabi=ilp32 --specs=picolibc.specs -nostartfiles -T link.ld \
            -Wl,--no-warn-rwx-segments start.o "$1.o" -o "$1.elf") > "$dir/out" 2>&1
}

# run ARGUMENT...: runs elfrun; its status is in $status, its output in $dir/out.
run() {
    "$elfrun" "$@" > "$dir/out" 2>&1
    status=$?
}

# ends STATUS PATTERN: checks the status of the last run, and a line of its output.
ends() {
    [ "$status" = "$1" ] && grep -q -- "$2" "$dir/out"
}

cat > "$dir/foreign.c" << 'C'
#include <stdio.h>
#include <stdint.h>
#include <string.h>

void putchar_bench(int c);

static int put(char c, FILE *file)
{
    (void)file;
    putchar_bench(c);
    return c;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;

static uint32_t zeroed[100], filled = 7;
uint32_t begin_signature[4] = { 0x01234567, 0xdeadbeef, 0, 0 };
extern uint32_t end_signature[];
__asm__(".globl end_signature\n.set end_signature, begin_signature + 16");

int main(void)
{
    int sum = 0;

    for (int i = 1; i <= 100; i++)
        sum += i;
    for (int i = 0; i < 100; i++)
        sum += (int)zeroed[i];
    printf("sum %d %s %u\n", sum, "of C", (unsigned)filled);
    begin_signature[2] = (uint32_t)strlen("eleven char");
    begin_signature[3] = (uint32_t)sum / 7u;
    return RETURNS;
}
C

for value in 0 5; do
    sed "s/RETURNS/$value/" "$dir/foreign.c" > "$dir/foreign$value.c"
    build "foreign$value"
    built=$?
    [ $built = 0 ] || result 1 "core_run_foreign_program_builds"
done

run "$bench" "$dir/foreign0.elf"
ends 0 '^sum 5050 of C 7$'
result $? core_run_foreign_program_passes
ends 0 '^cycles [0-9]* instructions [0-9]* CPI [0-9.]*$'
result $? core_run_prints_cycles_instructions_cpi
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s core-run "ELF=$dir/foreign0.elf" "SIG=$dir/sig" \
    > "$dir/out" 2>&1
status=$?
ends 0 '^sum 5050 of C 7$'
result $? core_run_by_make_passes
printf '01234567\ndeadbeef\n0000000b\n000002d1\n' | cmp -s - "$dir/sig"
result $? core_run_writes_the_signature
run "$bench" "$dir/foreign5.elf"
ends 1 '^FAILED: tohost = 5 '
result $? core_run_prints_another_value
run -t 300 "$bench" "$dir/foreign0.elf"
ends 2 '^TIMEOUT after 300 cycles'
result $? core_run_times_out
[ $failed = 0 ] && echo "# evidence A4.2 programs=2 signature_words=4"

# --- files that are refused ---

# refused NAME WHY FILE [option ...]
refused() {
    files=$((files + 1))
    name=$1 why=$2 file=$3
    shift 3
    run "$@" "$bench" "$file"
    ends 3 "$why"
    result $? "core_run_refuses_$name"
}

# patched OFFSET BYTES: writes foreign0.elf with these bytes (octal escapes) replaced to bad.elf.
patched() {
    cp "$dir/foreign0.elf" "$dir/bad.elf"
    # shellcheck disable=SC2059 # the escapes are meant
    printf "$2" | dd of="$dir/bad.elf" bs=1 seek="$1" conv=notrunc 2> "$dir/out"
}

refused a_missing_file 'cannot be opened' "$dir/none.elf"
: > "$dir/bad.elf"
refused an_empty_file 'shorter than an ELF header' "$dir/bad.elf"
head -c 51 "$dir/foreign0.elf" > "$dir/bad.elf"
refused half_a_header 'shorter than an ELF header' "$dir/bad.elf"
head -c 60 "$dir/foreign0.elf" > "$dir/bad.elf"
refused a_file_cut_in_its_program_headers 'program headers are outside' "$dir/bad.elf"
size=$(wc -c < "$dir/foreign0.elf")
head -c $((size - 40)) "$dir/foreign0.elf" > "$dir/bad.elf"
refused a_file_cut_in_its_section_headers 'section headers are outside' "$dir/bad.elf"
cp "$dir/foreign0.c" "$dir/bad.elf"
refused a_text_file 'is not an ELF file' "$dir/bad.elf"
patched 4 '\002'
refused a_64_bit_file 'not a 32-bit little-endian' "$dir/bad.elf"
patched 18 '\076'
refused a_program_for_another_machine 'not for RISC-V' "$dir/bad.elf"
patched 16 '\001'
refused an_object_file 'not an executable' "$dir/bad.elf"
patched 28 '\377\377\377\377'
refused program_headers_at_a_wild_offset 'program headers are outside' "$dir/bad.elf"
patched 32 '\377\377\377\177'
refused section_headers_at_a_wild_offset 'section headers are outside' "$dir/bad.elf"
patched 24 '\004'
refused another_start_address 'does not start at 0x80000000' "$dir/bad.elf"

cat > "$dir/plain.c" << 'C'
#ifdef BIG
char big[2 << 20] = { 1 };
#endif
int tohost_of_another_name;
void _start(void);
void _start(void)
{
    for (;;)
        ;
}
C
sed -i 's/KEEP(\*(.text.init))/*(.text._start)/' "$dir/link.ld"
plain="$cc -march=rv32imc -mabi=ilp32 -O1 -nostdlib -ffreestanding -ffunction-sections -Wl,--no-warn-rwx-segments"
$plain -T "$dir/link.ld" "$dir/plain.c" -o "$dir/bad.elf" > "$dir/out" 2>&1
refused a_program_without_tohost 'no symbol tohost' "$dir/bad.elf"
$plain -Wl,--defsym,tohost=0x90000000 -T "$dir/link.ld" "$dir/plain.c" -o "$dir/bad.elf" > "$dir/out" 2>&1
refused a_tohost_outside_the_ram 'tohost outside the RAM' "$dir/bad.elf"
$plain -Wl,--defsym,tohost=0x80000100 -T "$dir/link.ld" "$dir/plain.c" -o "$dir/bad.elf" > "$dir/out" 2>&1
refused a_signature_that_is_not_there 'no symbols begin_signature' "$dir/bad.elf" -s "$dir/sig"
sed 's/LENGTH = 1M/LENGTH = 8M/' "$dir/link.ld" > "$dir/big.ld"
$plain -DBIG -T "$dir/big.ld" "$dir/plain.c" -o "$dir/bad.elf" > "$dir/out" 2>&1
refused a_program_larger_than_the_ram 'segment outside the RAM' "$dir/bad.elf"
refused a_limit_that_is_no_number 'usage:' "$dir/foreign0.elf" -t 10x

[ $failed = 0 ] && echo "# evidence A4.3 passed=1 failed=1 timeouts=1 signatures=1 refused=$files"
echo "1..$n"
exit $failed
