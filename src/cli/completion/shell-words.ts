import { escapeControlInLine } from '../../core/escape-control.ts'
import type { Candidate } from './complete.ts'

/** A command line up to the cursor, as a shell parses it. */
interface ShellLine {
  /** Without quotes and backslashes. The last one is incomplete, or '' if it is empty. */
  readonly words: readonly string[]
  /** The quote that is open at the end. */
  readonly openQuote: '"' | "'" | undefined
  /** Length of the part of the last word, without quotes, that the shell does not replace. */
  readonly keptLength: number
}

const BLANK = /[ \t\n]/

/**
 * Splits a command line of bash. Expands and runs nothing.
 *
 * @param breaks characters at which the line editor starts a new word, as in COMP_WORDBREAKS
 */
export function splitShellLine(line: string, breaks: string): ShellLine {
  const words: string[] = []
  let word = ''
  let isBegun = false
  let keptLength = 0
  let openQuote: ShellLine['openQuote']
  for (let index = 0; index < line.length; index++) {
    const char = line.charAt(index)
    const next = line.charAt(index + 1)
    if (openQuote !== undefined) {
      if (char === openQuote) openQuote = undefined
      else if (char === '\\' && openQuote === '"' && /["\\$`]/.test(next)) word += line.charAt(++index)
      else word += char
    } else if (BLANK.test(char)) {
      if (isBegun) words.push(word)
      word = ''
      isBegun = false
      keptLength = 0
    } else {
      isBegun = true
      if (char === '"' || char === "'") {
        openQuote = char
        keptLength = word.length
      } else if (char === '\\') word += line.charAt(++index)
      else {
        word += char
        if (breaks.includes(char)) keptLength = word.length
      }
    }
  }
  return { words: [...words, word], openQuote, keptLength }
}

const NEEDS_BACKSLASH = /[^\p{L}\p{M}\p{N}_./~+=:,@%^-]/gu

/** Quotes `text` as one word for bash, or as the rest of an open quoted word. */
function quoteForShell(text: string, openQuote: ShellLine['openQuote']): string {
  if (openQuote === "'") return text.replaceAll("'", String.raw`'\''`)
  if (openQuote === '"') return text.replace(/["\\$`]/g, String.raw`\$&`)
  return text.replace(NEEDS_BACKSLASH, String.raw`\$&`)
}

/** Formats one candidate per line for bash: the replacement of the word, with the space that ends it. */
export function formatForBash(
  candidates: readonly Candidate[],
  { words, openQuote, keptLength }: ShellLine,
): string {
  const isKept = (words.at(-1) ?? '').slice(0, keptLength)
  return lines(
    candidates.filter(({ value }) => value.startsWith(isKept)),
    ({ value, isPartial = false }) =>
      `${quoteForShell(value.slice(keptLength), openQuote)}${isPartial || openQuote !== undefined ? '' : ' '}`,
  )
}

/** Formats one candidate per line for zsh and fish, which add quotes themselves: value, tab and description. */
export function formatWithDescriptions(candidates: readonly Candidate[]): string {
  return lines(candidates, ({ value, description }) =>
    description === undefined ? value : `${value}\t${escapeControlInLine(description)}`,
  )
}

/** A name with control characters or line breaks cannot be offered. */
function lines(candidates: readonly Candidate[], format: (candidate: Candidate) => string): string {
  return candidates
    .filter(({ value }) => escapeControlInLine(value) === value)
    .map((candidate) => `${format(candidate)}\n`)
    .join('')
}
