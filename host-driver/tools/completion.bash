# SPDX-License-Identifier: Apache-2.0
#
# Completion of `tern` for bash. Commands and options come from tern itself, so that this file is
# never out of date.

_tern_commands() { "$1" --help 2> /dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'; }

# Long options of a command, with `=` where they take a value.
_tern_options() { "$1" "$2" --help 2> /dev/null | grep -o -- '--[a-z][a-z-]*=*' | sort -u; }

# The simulator's NICs, from the names of their sockets.
_tern_nics() {
    local dir=${TERN_SIM_DIR:-${XDG_RUNTIME_DIR:-/tmp}/tern-sim-$(id -u)}
    ls "$dir" 2> /dev/null | sed -n 's/^nic-\(.*\)\.sock$/sim:\1/p'
}

_tern() {
    local word=${COMP_WORDS[COMP_CWORD]} line=${COMP_LINE:0:COMP_POINT} words
    # Bash splits words at a colon: the text to complete then begins after the colon.
    local start=${line##*[[:space:]]}

    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        words=$(_tern_commands "${COMP_WORDS[0]}")
    elif [[ $start == -* && $start != *=* ]]; then
        words=$(_tern_options "${COMP_WORDS[0]}" "${COMP_WORDS[1]}")
        compopt -o nospace 2> /dev/null
    elif [[ ${start##*=} == sim* ]]; then
        words=$(_tern_nics)
        if [[ $start == *:* ]]; then
            words=$(printf '%s\n' "$words" | sed 's/^sim://')
            [ "$word" != : ] || word=
        fi
    fi
    # shellcheck disable=SC2207 # words have no spaces
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}

complete -o default -F _tern tern
