# offers.fish SCRIPT <LINES: what fish offers at the end of each line, as "LINE<tab>OFFER".
source $argv[1]
while read -l line
    for offer in (complete -C "$line" | string replace -r '\t.*' '')
        printf '%s\t%s\n' $line $offer
    end
end
