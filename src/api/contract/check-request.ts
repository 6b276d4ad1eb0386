import type { z } from 'zod'

type Checked<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly message: string }

/** How many broken rules a message names. */
const MOST_RULES = 50

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
}

/**
 * Checks a request body against its schema. The message of an invalid one names each field and the rule it breaks:
 * `excerpt must be at most 160 characters long; categories[1].value is required`.
 */
export function checkRequest<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): Checked<z.output<Schema>> {
  const parsed = schema.safeParse(body, { error: explainIssue })
  if (parsed.success) return { kind: 'valid', value: parsed.data }
  const rules = parsed.error.issues.map((issue) => `${fieldName(issue.path)} ${issue.message}`)
  // Where a body is checked against two schemas at once, both may say the same.
  const different = [...new Set(rules)]
  const rest = different.length - MOST_RULES
  const named = different.slice(0, MOST_RULES).join('; ')
  return { kind: 'invalid', message: rest > 0 ? `${named}; and ${rest} more` : named }
}

function explainIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required'
  if (issue.code === 'invalid_type') return `must be ${NOUNS[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  return `is invalid (${issue.code})`
}

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the body'
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}
