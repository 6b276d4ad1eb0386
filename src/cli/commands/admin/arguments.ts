// Checks and trims values from the command line before they reach the database.
import { isSlug, NAME_LIMIT, SLUG_RULE } from '../../../api/contract/fields.ts'
import { KbError } from '../../../core/errors/kb-error.ts'
import { countCodePoints } from '../../../core/code-points.ts'
import { isLanguageCode } from '../../../core/language-code.ts'
import { escapeControl } from '../../../core/escape-control.ts'

/** @throws KbError USAGE for a name that is empty, too long, or contains invisible characters */
export function parseName(text: string | undefined, what: string): string {
  const name = parseText(text, what)
  if (name === '') throw wrongValue(`The ${what} is empty.`, 'It must have at least one character.')
  if (countCodePoints(name) > NAME_LIMIT)
    throw wrongValue(`The ${what} is longer than ${NAME_LIMIT} characters.`, 'Choose a shorter one.')
  return name
}

/** Like `parseName`, but may be empty and long. */
export function parseText(text: string | undefined, what: string): string {
  const trimmed = (text ?? '').trim()
  if (escapeControl(trimmed) === trimmed && !/[\n\t]/.test(trimmed) && trimmed.isWellFormed()) return trimmed
  throw wrongValue(`The ${what} "${escapeControl(trimmed)}" holds control characters.`, 'Leave them out.')
}

/** Reads an e-mail address, or ''. Only its mail server can check the parts around the @. */
export function readEmail(text: string | undefined): string {
  const address = parseText(text, 'e-mail address')
  if (address === '' || /^[^\s@]+@[^\s@]+$/.test(address)) return address
  throw wrongValue(`"${address}" is not an e-mail address.`, 'Use an address such as editor@example.com.')
}

export function readSlug(text: string): string {
  const slug = parseText(text, 'slug')
  if (isSlug(slug)) return slug
  throw wrongValue(`The slug "${slug}" is not a valid slug.`, `A slug is ${SLUG_RULE}.`)
}

export function readLanguage(text: string | undefined): string {
  const code = parseText(text, 'language')
  if (isLanguageCode(code)) return code
  throw wrongValue(`"${code}" is not a language code.`, 'Use a language code such as en or pt-BR.')
}

/** Reads a list such as `en,fr`. */
export function readLanguages(text: string): string[] {
  const codes = text.split(',').map((code) => readLanguage(code))
  const repeated = codes.find((code, index) =>
    codes.slice(0, index).some((other) => other.toLowerCase() === code.toLowerCase()),
  )
  if (repeated === undefined) return codes
  throw wrongValue(`The language "${repeated}" is listed twice.`, 'List each language once.')
}

/** Reads a whole number above 0; null for `none`. */
export function readLimit(text: string | undefined): number | null {
  if (text === 'none') return null
  const limit = Number(text)
  if (text !== undefined && /^\d+$/.test(text) && limit > 0 && Number.isSafeInteger(limit)) return limit
  throw wrongValue(
    `"${parseText(text, 'limit')}" is not a valid limit.`,
    'Use a whole number greater than 0, or none.',
  )
}

export function readPriority(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isFinite(number)) return number
  throw wrongValue(
    `The priority "${parseText(text, 'priority')}" is not a number.`,
    'Use a number such as 3.',
  )
}

export function wrongValue(message: string, hint: string): KbError {
  return new KbError('USAGE', `${message} Nothing was changed.`, { hint })
}
