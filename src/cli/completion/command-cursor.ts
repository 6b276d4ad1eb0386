import type { Command, Option } from 'commander'

/** Where on a command line the next word stands. */
export interface CommandCursor {
  readonly command: Command
  /** The option whose value the word is; undefined where it is none. */
  readonly option: Option | undefined
  /** Arguments of the command that stand before it. */
  readonly argumentCount: number
  /** Whether `--` stands before it: then it is no option. */
  readonly isBehindDashes: boolean
  /** Options that stand before it, by their long names, with the value of each where it takes one. */
  readonly given: ReadonlyMap<string, string>
}

/** Follows `words`, all that stand before the one to be completed, down the tree of commands. */
export function findCursor(program: Command, words: readonly string[]): CommandCursor {
  const given = new Map<string, string>()
  let command = program
  let option: Option | undefined
  let argumentCount = 0
  let isBehindDashes = false
  for (const word of words) {
    if (option !== undefined) {
      given.set(nameOf(option), word)
      option = undefined
    } else if (isBehindDashes) argumentCount++
    else if (word === '--') isBehindDashes = true
    else if (word.startsWith('-') && word.length > 1) option = takeOption(word)
    else {
      const below = argumentCount === 0 ? findCommand(command, word) : undefined
      if (below === undefined) argumentCount++
      else command = below
    }
  }
  return { command, option, argumentCount, isBehindDashes, given }

  /** The option, where its value is the next word. */
  function takeOption(word: string): Option | undefined {
    const { name, value } = splitOption(word)
    const found = optionsOf(command).find(({ long, short }) => long === name || short === name)
    if (found === undefined) return undefined
    given.set(nameOf(found), value ?? '')
    return found.required && value === undefined ? found : undefined
  }
}

/** `--name=value` in its two parts. */
export function splitOption(word: string): { readonly name: string; readonly value: string | undefined } {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at === -1 ? { name: word, value: undefined } : { name: word.slice(0, at), value: word.slice(at + 1) }
}

/** The options of a command and of those above it, whose options it takes, too; the program itself has none but these. */
export function optionsOf(command: Command): readonly Option[] {
  const above = command.parent === null || command.parent.parent === null ? [] : optionsOf(command.parent)
  return [...command.createHelp().visibleOptions(command), ...above]
}

function findCommand(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word || each.aliases().includes(word))
}

function nameOf(option: Option): string {
  return option.long ?? option.flags
}
