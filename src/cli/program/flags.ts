// The flags of each command, as data derived from the schemas of its options. The build replaces the module with this
// data, so that parsing a command line does not load zod.
import * as z from 'zod'
import { OPTIONS } from '../../kb/options.ts'

export type OptionsName = keyof typeof OPTIONS

export interface Flag {
  /** The option's name in the library. */
  readonly key: string
  /** The syntax in commander and in help: `--concurrency <n>`. */
  readonly flags: string
  readonly description: string
  readonly choices: readonly string[] | undefined
  /** How several values are passed. */
  readonly list: 'repeated' | 'commas' | undefined
  /** True if the schema must check a value; otherwise any non-empty text is valid. */
  readonly isChecked: boolean
}

/** Names that differ on the command line: singular if a flag is passed once per value. */
const NAMES: Readonly<Record<string, string>> = {
  categories: 'category',
  dueWithinDays: 'due-within',
  folder: 'dir',
  tags: 'tag',
}

const SHORT: Readonly<Record<string, string>> = { yes: '-y, ' }

const WITH_COMMAS: ReadonlySet<string> = new Set(['failOn'])

export const FLAGS = Object.fromEntries(
  Object.entries(OPTIONS).map(([name, { shape }]) => [
    name,
    Object.entries<z.ZodType>(shape).flatMap(([key, schema]) => flagOf(key, schema) ?? []),
  ]),
) as unknown as Readonly<Record<OptionsName, readonly Flag[]>>

interface FlagTexts {
  readonly description?: string
  /** The name of the value in help. */
  readonly value?: string
  /** Help of the flag that turns off a default. */
  readonly off?: string
}

/** Returns undefined for options that only programs can set, and for arguments. */
function flagOf(key: string, schema: z.ZodType): Flag | undefined {
  const { description = '', value, off } = (schema.meta() ?? {}) as FlagTexts
  const type = innermost(schema)
  if (!(type instanceof z.ZodBoolean) && value === undefined) return undefined
  const list = !(type instanceof z.ZodArray) ? undefined : WITH_COMMAS.has(key) ? 'commas' : 'repeated'
  const item = type instanceof z.ZodArray ? type.element : type
  const choices = list === undefined && item instanceof z.ZodEnum ? item.options.map(String) : undefined
  return {
    key,
    flags: `${SHORT[key] ?? ''}--${off === undefined ? '' : 'no-'}${nameOf(key)}${value === undefined ? '' : ` <${value}>`}`,
    description: `${off ?? description}${list === 'repeated' ? ' (repeatable)' : ''}`,
    choices,
    list,
    isChecked: value !== undefined && choices === undefined && !isAnyText(item),
  }
}

function nameOf(key: string): string {
  return NAMES[key] ?? key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function innermost(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly
  return isWrapper ? innermost(schema.unwrap()) : schema
}

function isAnyText(schema: z.core.$ZodType): boolean {
  return (
    schema instanceof z.ZodString &&
    (schema.def.checks ?? []).every((check) => check._zod.def.check === 'min_length')
  )
}
