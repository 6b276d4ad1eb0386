import type * as z from 'zod'
import { explainIssue } from '../explain-issue.ts'
import { DIAGNOSTICS } from '../model/diagnostic-codes.ts'
import { escapePattern } from '../escape-pattern.ts'
import type { Span } from '../model/diagnostic.ts'
import { nearest } from '../nearest.ts'
import { configSchema } from './schema.ts'

interface ConfigProblem {
  /** Path of the key to show; for a missing key, that of the object that lacks it. */
  readonly path: readonly string[]
  /** One line, in the terms of the configuration file. */
  readonly text: string
}

/** Returns the problems of a configuration; an empty list if it is valid. */
export function explainConfigProblems(config: unknown): ConfigProblem[] {
  const result = configSchema.safeParse(config, { error: explainIssue })
  return result.success
    ? []
    : result.error.issues.flatMap((issue) => explain(innermost(issue, config), config))
}

/** If an object matches no member of a union, reports the problem for the member that is an object. */
function innermost(issue: z.core.$ZodIssue, config: unknown): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union' || typeof valueAt(config, issue.path) !== 'object') return issue
  const inner = issue.errors.flat().find(({ code, path }) => code === 'unrecognized_keys' || path.length > 0)
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] }
}

/** Keys whose values are never shown in messages. */
const SECRETS: ReadonlySet<PropertyKey> = new Set(['apiKey', 'password'])

function explain(issue: z.core.$ZodIssue, config: unknown): ConfigProblem[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') {
    const problem = problemAt(path, wording(issue))
    return [valueAt(config, issue.path) === undefined ? { ...problem, path: path.slice(0, -1) } : problem]
  }
  return issue.keys.map((key) => {
    const at = [...path, key]
    if (path.at(-1) === 'rules' && key in DIAGNOSTICS)
      return problemAt(at, 'not a configurable rule; it is always reported')
    return problemAt(at, `unknown key${suggestion(nearest(key, keysAt(path)))}`)
  })

  function wording(problem: z.core.$ZodIssue): string {
    const got = valueAt(config, problem.path)
    const isShown =
      !['undefined', 'object', 'function'].includes(typeof got) && !SECRETS.has(problem.path.at(-1) ?? '')
    const shown = isShown ? `, not ${JSON.stringify(got)}` : ''
    const names = problem.code === 'invalid_value' ? problem.values.map(String) : []
    const meant = typeof got === 'string' ? nearest(got, names) : undefined
    return `${problem.message}${shown}${suggestion(meant)}`
  }
}

function suggestion(word: string | undefined): string {
  return word === undefined ? '' : `; did you mean "${word}"?`
}

function problemAt(path: readonly string[], text: string): ConfigProblem {
  return { path, text: `${path.join('.')}: ${text}` }
}

/**
 * Finds a key in the text of a configuration. Returns undefined if the key does not occur literally, or occurs more
 * than once. The value may be set elsewhere, so this is a best guess.
 */
export function findConfigKey(text: string, path: readonly string[]): Span | undefined {
  const spans = path.flatMap((key) => {
    const escaped = escapePattern(key)
    const [match, other] = text.matchAll(new RegExp(`(?<=[{,\\s])(['"]?)${escaped}\\1(?=\\s*:)`, 'g'))
    return match === undefined || other !== undefined ? [] : [match]
  })
  const last = spans.at(-1)
  if (last === undefined || spans.length < path.filter((key) => !/^\d+$/.test(key)).length) return undefined
  const before = text.slice(0, last.index).split('\n')
  const [line, column] = [before.length, (before.at(-1) ?? '').length + 1]
  return { line, column, end: { line, column: column + last[0].length } }
}

function valueAt(config: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    config,
  )
}

/** Returns the keys that the schema allows at `path`. */
function keysAt(path: readonly string[]): string[] {
  let schema: z.core.$ZodType | undefined = configSchema
  for (const key of path) {
    const { shape, valueType } = describeObject(schema)
    schema = shape?.[key] ?? valueType
  }
  return Object.keys(describeObject(schema).shape ?? {})
}

interface ObjectDescription {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
  /** Type of the values of a record or an array. */
  readonly valueType?: z.core.$ZodType
}

interface Definition extends ObjectDescription {
  readonly innerType?: z.core.$ZodType
  readonly options?: readonly z.core.$ZodType[]
  readonly element?: z.core.$ZodType
}

/** Returns the object type of a schema, including inside an optional type or a union. */
function describeObject(schema: z.core.$ZodType | undefined): ObjectDescription {
  const def = schema?._zod.def as Definition | undefined
  if (def === undefined) return {}
  const held = [def.innerType, ...(def.options ?? [])].map((inner) => (inner ? describeObject(inner) : {}))
  const own: ObjectDescription = { ...def, ...(def.element && { valueType: def.element }) }
  return [own, ...held].find(({ shape, valueType }) => shape !== undefined || valueType !== undefined) ?? {}
}
