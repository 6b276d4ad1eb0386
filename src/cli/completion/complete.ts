import type { Argument, Command, Option } from 'commander'

/**
 * Finds the values of a kind.
 *
 * @param word the text so far
 * @param given the options before it, by long name
 */
export type FindValues = (
  kind: ValueKind,
  word: string,
  given: CommandCursor['given'],
) => Promise<readonly Candidate[]>

/** The tests compare these with the program's flags. */
export const OF_OPTION: Readonly<Record<string, ValueKind>> = {
  '--baseline': 'file',
  '--category': 'category',
  '--ci': 'system',
  '--config': 'file',
  '--content': 'folder',
  '--cwd': 'folder',
  '--db': 'file',
  '--dir': 'folder',
  '--fail-on': 'threshold',
  '--language': 'language',
  '--out': 'file',
  '--plan': 'file',
  '--tag': 'tag',
  '--target': 'target',
  '--translation-of': 'article',
}

/** By command and argument. */
export const OF_ARGUMENT: Readonly<Record<string, ValueKind>> = {
  'check paths': 'article',
  'plan paths': 'article',
  'sync paths': 'article',
  'report paths': 'article',
  'pull paths': 'article',
  'mv old': 'article',
  'mv new': 'article',
  'explain code': 'code',
  'schema name': 'schema',
  'completion shell': 'shell',
  'init dir': 'folder',
  'assets folder': 'folder',
}

/**
 * Returns completions for the last of `words`, which is the text so far ('' for none). `words` start after the
 * program's name and are unquoted.
 */
export async function complete(
  program: Command,
  words: readonly string[],
  findValues: FindValues,
): Promise<readonly Candidate[]> {
  const word = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  // Commander's own help command is not part of its tree.
  const cursor = findCursor(program, before[0] === 'help' ? before.slice(1) : before)
  const candidates = await candidatesAt(cursor, word, findValues)
  return candidates.filter(({ value }) => value.startsWith(word))
}

async function candidatesAt(
  cursor: CommandCursor,
  word: string,
  findValues: FindValues,
): Promise<readonly Candidate[]> {
  const { command, option, given } = cursor
  if (option !== undefined) return valuesOfOption(option, word, given, findValues)
  if (word.startsWith('-') && !cursor.isBehindDashes) {
    const { name, value } = splitOption(word)
    if (value === undefined) return namesOfOptions(cursor)
    const written = optionsOf(command).find(({ long }) => long === name)
    if (written === undefined) return []
    const values = await valuesOfOption(written, value, given, findValues)
    return values.map((each) => ({ ...each, value: `${name}=${each.value}` }))
  }
  if (command.commands.length > 0) return cursor.argumentCount === 0 ? namesOfCommands(command) : []
  const argument = argumentAt(command, cursor.argumentCount)
  return argument === undefined ? [] : valuesOfArgument(command, argument, word, given, findValues)
}

function namesOfCommands(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: each.description() }))
}

/** An option that can be repeated is recognised by its description. */
function namesOfOptions({ command, given }: CommandCursor): Candidate[] {
  return optionsOf(command).flatMap(({ long, description }) =>
    typeof long !== 'string' || (given.has(long) && !description.includes('(repeatable)'))
      ? []
      : [{ value: long, description }],
  )
}

async function valuesOfOption(
  { long, argChoices, required }: Option,
  word: string,
  given: CommandCursor['given'],
  findValues: FindValues,
): Promise<readonly Candidate[]> {
  if (argChoices !== undefined) return argChoices.map((value) => ({ value }))
  const kind = required ? OF_OPTION[long ?? ''] : undefined
  return kind === undefined ? [] : findValues(kind, word, given)
}

function argumentAt({ registeredArguments }: Command, index: number): Argument | undefined {
  const last = registeredArguments.at(-1)
  return registeredArguments[index] ?? (last?.variadic === true ? last : undefined)
}

async function valuesOfArgument(
  command: Command,
  argument: Argument,
  word: string,
  given: CommandCursor['given'],
  findValues: FindValues,
): Promise<readonly Candidate[]> {
  if (argument.argChoices !== undefined) return argument.argChoices.map((value) => ({ value }))
  const kind = OF_ARGUMENT[`${command.name()} ${argument.name()}`]
  return kind === undefined ? [] : findValues(kind, word, given)
}

interface CommandCursor {
  readonly command: Command
  /** The option whose value is completed; undefined if it is not a value. */
  readonly option: Option | undefined
  /** Number of the command's arguments before the cursor. */
  readonly argumentCount: number
  /** True after `--`, where no word is an option. */
  readonly isBehindDashes: boolean
  /** Options before the cursor, by long name, with their values. */
  readonly given: ReadonlyMap<string, string>
}

/** Follows `words`, which precede the one to complete, down the tree of commands. */
function findCursor(program: Command, words: readonly string[]): CommandCursor {
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

  /** Returns the option whose value is the next word. */
  function takeOption(word: string): Option | undefined {
    const { name, value } = splitOption(word)
    const found = optionsOf(command).find(({ long, short }) => long === name || short === name)
    if (found === undefined) return undefined
    given.set(nameOf(found), value ?? '')
    return found.required && value === undefined ? found : undefined
  }
}

/** Splits `--name=value` into two parts. */
function splitOption(word: string): { readonly name: string; readonly value: string | undefined } {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at === -1 ? { name: word, value: undefined } : { name: word.slice(0, at), value: word.slice(at + 1) }
}

/** Returns the options of a command and of its parents, which it also accepts. The program itself has no others. */
function optionsOf(command: Command): readonly Option[] {
  const above = command.parent === null || command.parent.parent === null ? [] : optionsOf(command.parent)
  return [...command.createHelp().visibleOptions(command), ...above]
}

function findCommand(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word || each.aliases().includes(word))
}

function nameOf(option: Option): string {
  return option.long ?? option.flags
}

export interface Candidate {
  readonly value: string
  readonly description?: string | undefined
  /** True if more text follows without a space: a folder in which a file must be named. */
  readonly isPartial?: boolean
}

/** The kind of a value that the program cannot list by itself. */
export type ValueKind =
  | 'article'
  | 'category'
  | 'code'
  | 'file'
  | 'folder'
  | 'language'
  | 'schema'
  | 'shell'
  | 'system'
  | 'tag'
  | 'target'
  | 'threshold'
