import type { z } from 'zod'
import { isRecord } from './is-record.ts'
import { didYouMean } from './nearest.ts'

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

/** Returns the violated rule, to follow the name of a value: `must be a string`. For `error` of zod's parsers. */
export function explainIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required'
  if (issue.code === 'invalid_type') return `must be ${NOUNS[issue.expected] ?? issue.expected}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small' && issue.minimum === 1) return 'must not be empty'
  if (issue.code === 'too_big' && issue.origin === 'string')
    return `must be at most ${issue.maximum} characters long`
  // The path ends with the key.
  if (issue.code === 'invalid_key') return `this name ${issue.issues[0]?.message ?? 'is not allowed'}`
  return `is invalid (${issue.code})`
}

/** The same for a value of YAML that must be text, which a number or `true` becomes in quotes. */
export function explainNotText({ input }: { readonly input?: unknown }): string {
  if (Array.isArray(input)) return 'must be text, not a list'
  if (input === null) return 'must not be empty'
  return isRecord(input) ? 'must be text, not a map' : 'must be text; put it in quotes'
}

/** Returns what the spellings of YAML 1.1 mean, which YAML 1.2 reads as text. */
export function readFlag(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (/^(?:y|yes|on|true)$/.test(word)) return true
  return /^(?:n|no|off|false)$/.test(word) ? false : undefined
}

/** Returns a hint with the allowed value that the input most likely means. Needs zod's option `reportInput`. */
export function suggestValue(issue: z.core.$ZodIssue): string | undefined {
  const { input } = issue
  if (typeof input !== 'string') return undefined
  const word = input.toLowerCase()
  if (issue.code === 'invalid_type' && issue.expected === 'boolean') {
    const flag = readFlag(word)
    return flag === undefined ? didYouMean(word, ['true', 'false']) : `Write ${flag}, without quotes.`
  }
  if (issue.code !== 'invalid_value') return undefined
  // A prefix can turn a word into its opposite: "unpublished".
  return didYouMean(
    word,
    issue.values.map(String).filter((value) => value.length >= word.length || !word.endsWith(value)),
  )
}
