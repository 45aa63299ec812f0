
# _dedpul_describe COMMAND, above, sets `parts`, the commands that may follow, or `options` for _arguments.
_dedpul() {
    local command=''
    local -a parts options
    _dedpul_describe ''
    while (( $#parts && CURRENT > 2 )); do
        command="$command${command:+ }$words[2]"
        parts=()
        shift words
        (( CURRENT-- ))
        _dedpul_describe "$command"
    done
    if (( $#parts )); then
        _describe -t commands command parts
    elif (( $#options )); then
        _arguments -S $options
    fi
}
# Autoloaded, this file is the function at its first call; sourced, it registers it.
if [[ $funcstack[1] == _dedpul ]]; then
    _dedpul "$@"
else
    compdef _dedpul dedpul
fi
