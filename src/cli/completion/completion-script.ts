export type Shell = 'bash' | 'zsh' | 'fish'

// Each asks the program itself, as the user has called it, so that what it offers is what that version knows. What is
// typed is passed as it is and never evaluated. Nothing in them needs more than the shell: bash 3.2 on macOS has no
// compopt, and few systems have the package bash-completion.

const BASH = asWritten(String.raw`# Completion of kb in bash: eval "$(kb completion bash)"
_kb_sync() {
  local reply
  COMPREPLY=()
  while IFS= read -r reply; do
    COMPREPLY+=("$reply")
  done < <("\${1/#\~/$HOME}" completion bash -- "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -o nospace -F _kb_sync kb kb-sync
`)

const ZSH = asWritten(String.raw`#compdef kb kb-sync
# Completion of kb in zsh, after compinit: eval "$(kb completion zsh)"
_kb_sync() {
  local value description
  local -a values shown folders
  while IFS=$'\t' read -r value description; do
    if [[ $value == */ ]]; then
      folders+=("$value")
    else
      values+=("$value")
      shown+=("$value\${description:+  -- $description}")
    fi
  done < <("\${(Q)words[1]}" completion zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  (( \${#values} )) && compadd -l -d shown -a values
  (( \${#folders} )) && compadd -S '' -a folders
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then
  _kb_sync "$@"
else
  compdef _kb_sync kb kb-sync
fi
`)

// fish brings a completion for another program of this name. A file of the same name in the user's folder comes before it;
// behind a pipe, only fish 4 and later can be kept from loading it beside this one.
const FISH = `# Completion of kb in fish: kb completion fish > ~/.config/fish/completions/kb.fish
complete -e -c kb
function __kb_sync_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    $program completion fish -- $words "$current" 2>/dev/null
end
complete -c kb -f -a '(__kb_sync_complete)'
complete -c kb-sync -f -a '(__kb_sync_complete)'
`

/** A dollar that would begin an expression of this language has a backslash before it. */
function asWritten(text: string): string {
  return text.replaceAll(String.raw`\$`, '$')
}

/** The script that a shell reads when it starts. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }
