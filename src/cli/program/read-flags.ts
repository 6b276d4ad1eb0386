import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ZodType } from 'zod'
import { KbError } from '../../core/errors/kb-error.ts'
import { THRESHOLDS } from '../../core/model/threshold.ts'
import { type Flag, FLAGS, type OptionsName } from './flags.ts'

export function addFlags(command: Command, names: readonly OptionsName[]): void {
  for (const flag of flagsOf(names)) command.addOption(toOption(flag))
}

/** Returns the flags without duplicates: the run of a saved plan shares options with a sync. */
function flagsOf(names: readonly OptionsName[]): Flag[] {
  return [...new Map(names.flatMap((name) => FLAGS[name].map((flag) => [flag.key, flag]))).values()]
}

function toOption({ key, flags, description, choices, list, isChecked }: Flag): Option {
  const option = new Option(flags, description)
  const read = isChecked ? (value: string) => value : rejectEmpty
  if (choices !== undefined) option.choices(choices)
  else if (option.required)
    option.argParser<unknown>((value, previous) =>
      list === 'repeated' ? [...((previous as string[] | undefined) ?? []), read(value)] : read(value),
    )
  // Values are stored under the names of the library.
  return Object.assign(option, { attributeName: () => key })
}

/** Rejects an empty argument, in the words of a missing one. */
export function filledArgument(name: string): (value: string) => string {
  return (value) => {
    if (value.trim() !== '') return value
    throw new KbError('USAGE', `The argument "${name}" is empty.`, { hint: 'It may be an unset variable.' })
  }
}

/** Rejects an empty value: `--host ''` is usually an unset variable. */
export function rejectEmpty(value: string): string {
  if (value.trim() !== '') return value
  throw new InvalidArgumentError('It is empty.')
}

/** The rules for flags whose syntax differs from the library's option. */
const RULES: Readonly<Record<string, string>> = {
  dueWithinDays: 'must be a whole number of days from 0 to 9999, such as 30 or 30d',
  failOn: `must be one or more of ${THRESHOLDS.join(', ')}, separated by commas`,
}

/**
 * Converts the flags of a command line to options of the library. Loads zod only if a value needs it.
 *
 * @param written by option name, each value as written
 * @throws KbError USAGE
 */
export async function readFlags(
  names: readonly OptionsName[],
  written: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const checked = flagsOf(names).filter(({ key, isChecked }) => isChecked && written[key] !== undefined)
  if (checked.length === 0) return written
  const [{ OPTIONS }, { explainIssue }] = await Promise.all([
    import('../../kb/options.ts'),
    import('../../core/explain-issue.ts'),
  ])
  const shape: Readonly<Record<string, ZodType>> = Object.assign(
    {},
    ...names.map((name) => OPTIONS[name].shape),
  )
  const values = checked.map(({ key, list, flags }) => {
    const text = written[key] as string | readonly string[]
    const [first, ...others] = readingsOf(text, key, list).map((value) =>
      shape[key]?.safeParse(value, { error: explainIssue }),
    )
    const read = [first, ...others].find((result) => result?.success)
    if (read?.success) return [key, read.data]
    const rule = RULES[key] ?? first?.error?.issues[0]?.message
    throw new KbError(
      'USAGE',
      `Option "${flags}" argument "${[text].flat().join(' ')}" is invalid. It ${rule}.`,
    )
  })
  return { ...written, ...Object.fromEntries(values) }
}

/** Returns the possible values of a text: itself, or the number or list that it represents. */
function readingsOf(text: string | readonly string[], key: string, list: Flag['list']): readonly unknown[] {
  if (typeof text !== 'string') return [text]
  if (list === 'commas') return [[...new Set(text.split(',').map((name) => name.trim()))]]
  const digits = key === 'dueWithinDays' ? text.replace(/d$/, '') : text
  return /^\d+$/.test(digits) ? [text, Number(digits)] : [text]
}
