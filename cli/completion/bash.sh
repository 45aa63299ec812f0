
# _dedpul_describe COMMAND OPTION, above, sets `parts` (the commands that may follow), or `options` and
# `argument`, and what may follow the option: `value` with `words`, which is `optional` or not.
# shellcheck shell=bash disable=SC2154
_dedpul() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command='' parts='' options='' argument='' value='' words='' optional='' at=1
    # bash takes --option=value apart.
    if [ "$current" = = ]; then
        current=''
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    _dedpul_describe '' ''
    while [ -n "$parts" ] && [ "$at" -lt "$COMP_CWORD" ]; do
        command="$command${command:+ }${COMP_WORDS[at]}" parts='' at=$((at + 1))
        _dedpul_describe "$command" "$previous"
    done
    COMPREPLY=()
    if [ -n "$parts" ]; then
        _dedpul_offer -W "$parts"
        return
    fi
    case $value in
    word) _dedpul_offer -W "$words" ;;
    list)
        case $current in
        *,*) mapfile -t COMPREPLY < <(compgen -P "${current%,*}," -W "$words" -- "${current##*,}") ;;
        *) _dedpul_offer -W "$words" ;;
        esac
        ;;
    file) _dedpul_offer_paths -f ;;
    directory) _dedpul_offer_paths -d ;;
    esac
    [ -z "$value" ] || [ -n "$optional" ] || return
    case $current in
    -*) _dedpul_offer -W "$options" ;;
    *) case $argument in file) _dedpul_offer_paths -f ;; directory) _dedpul_offer_paths -d ;; esac ;;
    esac
}
_dedpul_offer() { # ARGUMENT OF COMPGEN...: adds these to the answer
    local -a found
    mapfile -t found < <(compgen "$@" -- "$current")
    COMPREPLY+=("${found[@]}")
}
_dedpul_offer_paths() {
    compopt -o filenames 2>/dev/null # fails only where nothing is being completed
    _dedpul_offer "$@"
}
complete -F _dedpul dedpul
