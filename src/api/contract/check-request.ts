import type { z } from 'zod'
import { explainIssue } from '../../core/explain-issue.ts'

type Checked<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly message: string }

/** Maximum number of violated rules in a message. */
const MOST_RULES = 50

/**
 * Checks a request body against its schema. The message of an invalid one names each field and the rule it breaks:
 * `excerpt must be at most 160 characters long; categories[1].value is required`.
 */
export function checkRequest<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  noun = 'the body',
): Checked<z.output<Schema>> {
  const parsed = schema.safeParse(body, { error: explainIssue })
  if (parsed.success) return { kind: 'valid', value: parsed.data }
  const rules = parsed.error.issues.map((issue) => `${fieldName(issue.path) || noun} ${issue.message}`)
  // A body that is checked against two schemas may violate the same rule twice.
  const different = [...new Set(rules)]
  const rest = different.length - MOST_RULES
  const named = different.slice(0, MOST_RULES).join('; ')
  return { kind: 'invalid', message: rest > 0 ? `${named}; and ${rest} more` : named }
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}
