import type * as z from 'zod'
import { nearest } from '../util/nearest.ts'
import { configSchema } from './schema.ts'

/** What is wrong with a configuration, one line for each problem, in the words of the file; empty where it is valid. */
export function explainConfigProblems(config: unknown): string[] {
  const result = configSchema.safeParse(config)
  return result.success ? [] : result.error.issues.flatMap((issue) => explain(issue, config))
}

function explain(issue: z.core.$ZodIssue, config: unknown): string[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys')
    return [`${path.join('.') || 'the default export'}: ${wording(issue)}`]
  return issue.keys.map((key) => {
    const known = nearest(key, keysAt(path))
    const suggestion = known === undefined ? '' : `; did you mean "${known}"?`
    return `${[...path, key].join('.')}: unknown key${suggestion}`
  })

  function wording(problem: z.core.$ZodIssue): string {
    const got = valueAt(config, problem.path)
    const shown = got === undefined || typeof got === 'object' ? '' : ` (it is ${JSON.stringify(got)})`
    return `${problem.message.replace(/^Invalid (input|option|type): /, '')}${shown}`
  }
}

function valueAt(config: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    config,
  )
}

/** The keys the schema knows at `path`. */
function keysAt(path: readonly string[]): string[] {
  let schema: z.core.$ZodType | undefined = configSchema
  for (const key of path) schema = shapeOf(schema)?.[key]
  return Object.keys(shapeOf(schema) ?? {})
}

function shapeOf(schema: z.core.$ZodType | undefined): Readonly<Record<string, z.core.$ZodType>> | undefined {
  const def = schema?._zod.def as
    | { innerType?: z.core.$ZodType; shape?: Record<string, z.core.$ZodType> }
    | undefined
  return def?.innerType === undefined ? def?.shape : shapeOf(def.innerType)
}
