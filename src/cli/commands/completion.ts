import type { Command, Option } from 'commander'
import { KbError } from '../../core/errors/kb-error.ts'
import { didYouMean } from '../../core/nearest.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CommonFlags } from './run-on-project.ts'

type Shell = 'bash' | 'zsh' | 'fish'

/** What may follow the words of a command. */
interface CommandPlace {
  /** A space and a word for each command down to this one; '' for the program itself. */
  readonly path: string
  readonly commands: readonly Command[]
  readonly flags: readonly (Option & { readonly long: string })[]
}

// The scripts hold the names, so that completion starts no program. They need nothing but the shell: bash 3.2 on macOS
// has no compopt, and few systems have the package bash-completion. What has no fixed values is completed as a path.
const SCRIPTS: Readonly<Record<Shell, (places: readonly CommandPlace[]) => string>> = {
  bash: (places) => `# Completion of kb in bash: eval "$(kb completion bash)"
_kb_sync() {
  local at='' before='' each word="\${COMP_WORDS[COMP_CWORD]#=}"
  local -a found
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $each == = ]] || before=$each
    ${goDown(places)}
  done
${findNames(places, ({ name }) => name)}
  COMPREPLY=($(compgen -W "\${found[*]}" -- "$word"))
}
complete -o default -F _kb_sync kb kb-sync
`,
  zsh: (places) => `#compdef kb kb-sync
# Completion of kb in zsh, after compinit: eval "$(kb completion zsh)"
_kb_sync() {
  local at='' before='' each word="$PREFIX"
  local -a found
  for each in "\${(@)words[2,CURRENT-1]}"; do
    before=$each
    ${goDown(places)}
  done
  [[ $word == --*=* ]] && before=\${word%%=*} && compset -P '*='
${findNames(places, ({ name, description }) => `${name}:${description}`)}
  (( \${#found} )) && _describe kb found || _files
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then
  _kb_sync "$@"
else
  compdef _kb_sync kb kb-sync
fi
`,
  // fish includes a completion for another program with this name. A file with the same name in the user's folder has
  // precedence; with a pipe, only fish 4 and later can be prevented from loading both.
  fish: (places) => `# Completion of kb in fish: kb completion fish > ~/.config/fish/completions/kb.fish
complete -e -c kb
function __kb_sync_at
    set -l at
    set -l words (commandline -opc)
    for each in $words[2..-1]
        switch "$at $each"
            case ${pathsOf(places).join(' ')}
                set at "$at $each"
        end
    end
    test "$at" = "$argv[1]"
end
${places.flatMap(fishLines).join('\n')}
complete -c kb-sync -w kb
`,
}

/** `kb completion`: prints the script of a shell. @throws KbError USAGE */
export function completionOf(program: Command) {
  return ([shell = '']: readonly string[], _: CommonFlags, terminal: Terminal): Promise<void> => {
    if (!Object.hasOwn(SCRIPTS, shell)) throw unknownShell(shell)
    terminal.out(SCRIPTS[shell as Shell](listPlaces(program, '')))
    return Promise.resolve()
  }
}

function listPlaces(command: Command, path: string): readonly CommandPlace[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const flags = [...help.visibleOptions(command), ...(path === '' ? [] : optionsAbove(command))]
  const place = { path, commands, flags: flags.filter((flag) => typeof flag.long === 'string') }
  return [
    place as CommandPlace,
    ...command.commands.flatMap((each) => listPlaces(each, `${path} ${each.name()}`)),
  ]
}

/** The options of the parents, which a command accepts, too. The program itself has no others. */
function optionsAbove({ parent }: Command): readonly Option[] {
  return parent?.parent ? [...parent.createHelp().visibleOptions(parent), ...optionsAbove(parent)] : []
}

interface Name {
  readonly name: string
  readonly description: string
}

/** For bash and zsh: the path after another word. */
function goDown(places: readonly CommandPlace[]): string {
  return `case "$at $each" in ${pathsOf(places).join('|')}) at="$at $each" ;; esac`
}

/** For bash and zsh: the names to offer, by the path and the words before and at the cursor. */
function findNames(places: readonly CommandPlace[], itemOf: (name: Name) => string): string {
  const list = (names: readonly string[]): string => `found=(${names.map(quote).join(' ')}) ;;`
  const values = places.flatMap(({ path, flags }) =>
    flags.flatMap(({ long, argChoices: choices }) =>
      choices === undefined ? [] : `    ${quote(`${path} ${long}`)}) ${list(choices)}`,
    ),
  )
  const names = places.flatMap(({ path, commands, flags }) => {
    const ofFlags = flags.map(({ long: name, description }) => itemOf({ name, description }))
    const ofCommands = commands.map((each) => itemOf({ name: each.name(), description: each.description() }))
    return [
      `      ${quote(`${path}|-`)}*) ${list(ofFlags)}`,
      ...(commands.length === 0 ? [] : [`      ${quote(`${path}|`)}*) ${list(ofCommands)}`]),
    ]
  })
  return `  case "$at $before" in
${values.join('\n')}
    *) case "$at|$word" in
${names.join('\n')}
    esac ;;
  esac`
}

function pathsOf(places: readonly CommandPlace[]): string[] {
  return places.flatMap(({ path }) => (path === '' ? [] : quote(path)))
}

function fishLines({ path, commands, flags }: CommandPlace): string[] {
  const start = `complete -c kb -n ${quote(`__kb_sync_at "${path}"`)}`
  return [
    ...commands.map((each) => `${start} -f -a ${each.name()} -d ${quote(each.description())}`),
    ...flags.map(({ long, description, argChoices: choices, required }) => {
      const value = choices === undefined ? (required ? ' -r' : '') : ` -x -a ${quote(choices.join(' '))}`
      return `${start} -l ${long.slice(2)}${value} -d ${quote(description)}`
    }),
  ]
}

/** As one word of each of the shells; fish reads a backslash before a quote alike. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function unknownShell(shell: string): KbError {
  const shells = Object.keys(SCRIPTS)
  return new KbError('USAGE', `There is no completion for "${shell}".`, {
    hint: didYouMean(shell, shells) ?? `The shells are: ${shells.join(', ')}.`,
  })
}
