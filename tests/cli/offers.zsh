# offers.zsh SCRIPT <LINES: what zsh offers at the end of each line, as "LINE<tab>OFFER". zsh completes only what is
# typed, so a second one in a pseudo terminal does, and its compadd prints what it is given.
cat >typed.zsh <<'END'
PS1=
fpath=($directory $fpath)
autoload -U compinit
compinit -u -D
compadd() {
    local -a found
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then # these only fill arrays
        builtin compadd -A found "$@"
        print -l '[offer]'$^found
    fi
    builtin compadd "$@"
}
tell_end() { print '[end]' }
zle-line-init() { print '[ready]' } # what is typed before the editor is there is lost
zle -N tell_end
zle -N zle-line-init
bindkey '^T' tell_end
bindkey '^I' list-choices
END
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "directory=${(q)1:h}; source ./typed.zsh"
zpty -r -m shell answer '*\[ready\]*'
while IFS= read -r line; do
    zpty -w -n shell "$line"$'\t\x14\x15'
    zpty -r -m shell answer '*\[end\]*'
    for offer in ${(f)"$(print -r -- $answer | tr -d '\r' | sed -n 's/.*\[offer\]//p')"}; do
        print -r -- "$line"$'\t'"$offer"
    done
done
zpty -d shell
