# offers.bash SCRIPT <LINES: what bash offers at the end of each line, as "LINE<tab>OFFER".
. "$1"
while IFS= read -r line; do
    # As bash splits the line: at spaces, and around =.
    mapfile -t COMP_WORDS < <(sed -E 's/=/ = /g; s/ +/ /g' <<<"$line" | tr ' ' '\n')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _dedpul
    for offer in "${COMPREPLY[@]}"; do
        printf '%s\t%s\n' "$line" "$offer"
    done
done
