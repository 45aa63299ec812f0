
function __dedpul_at -d 'Whether these commands, and no others, stand before the cursor'
    set -l words (commandline -opc)
    test "$words[2..]" = "$argv[1]"
end

function __dedpul_in -d 'Whether the command line begins with these commands'
    set -l words (commandline -opc)
    string match -q -- "$argv[1] *" "$words[2..] "
end
