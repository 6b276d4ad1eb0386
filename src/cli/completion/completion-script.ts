export type Shell = 'bash' | 'zsh' | 'fish'

// Each script calls the program as the user did, so that completions match its version. The typed text is passed
// unchanged and never evaluated. The scripts need only the shell: bash 3.2 on macOS has no compopt, and few systems
// have the package bash-completion.

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

// fish includes a completion for another program with this name. A file with the same name in the user's folder takes
// precedence; with a pipe, only fish 4 and later can be prevented from loading both.
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

/** In String.raw, a dollar sign before a brace needs a backslash, which is removed here. */
function asWritten(text: string): string {
  return text.replaceAll(String.raw`\$`, '$')
}

/** The script that a shell loads when it starts. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }
