
# Calls _ricochet with whole words: bash splits them at = and :.
_ricochet_words() {
    local command="$1" cur="$2" prev="$3" offered word
    if [[ "${COMP_WORDS[1]}" == help && ${COMP_CWORD} -eq 2 ]]; then
        _ricochet "$command" "$cur" "$prev"
        COMPREPLY+=( $(compgen -W "TOPICS" -- "$cur") )
        return
    fi
    if [[ "${COMP_WORDS[COMP_CWORD]}" == : || "${COMP_WORDS[COMP_CWORD-1]}" == : ]]; then
        # The number of a puzzle in a corpus or a file.
        COMPREPLY=()
        compopt +o default +o bashdefault 2>/dev/null
        return
    fi
    if [[ "$cur" == = ]]; then
        cur="" prev="${COMP_WORDS[COMP_CWORD-1]}"
    elif [[ "$prev" == = ]]; then
        prev="${COMP_WORDS[COMP_CWORD-2]}"
    fi
    # Where options are offered, so are files; values of options know what they want.
    _ricochet "$command" "" "$prev"
    offered=" ${COMPREPLY[*]} "
    _ricochet "$command" "$cur" "$prev"
    if [[ "$offered" == *" --help "* && "$cur" != -* && ${COMP_CWORD} -gt 1 ]]; then
        local names=()
        for word in "${COMPREPLY[@]}"; do
            [[ "$word" == -* ]] || names+=( "$word" )
        done
        COMPREPLY=( "${names[@]}" )
        if [[ "$offered" == *" random "* ]]; then
            COMPREPLY+=( $(compgen -W "daily" -- "$cur") )
        fi
        while IFS= read -r word; do
            COMPREPLY+=( "$word" )
        done < <(compgen -f -- "$cur")
    fi
    # Directories get their slash, and blanks in names their backslash.
    [[ "$cur" == -* ]] || compopt -o filenames 2>/dev/null
}
