import type { Argument, Command, Option } from 'commander'
import type { Candidate, ValueKind } from './candidate.ts'
import { type CommandCursor, findCursor, optionsOf, splitOption } from './command-cursor.ts'

/** Finds the values of a kind; `word` is what is written already, `given` the options before it by their long names. */
export type FindValues = (
  kind: ValueKind,
  word: string,
  given: CommandCursor['given'],
) => Promise<readonly Candidate[]>

/** Also what the tests hold the program's flags against. */
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
 * What may stand in place of the last of `words`, which is written as far as it goes ('' where nothing is). `words` begin
 * behind the program's name and hold no quotes any more.
 */
export async function complete(
  program: Command,
  words: readonly string[],
  findValues: FindValues,
): Promise<readonly Candidate[]> {
  const word = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  // Commander's own help command is no part of its tree.
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

/** One that may be given again is told by its description. */
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
