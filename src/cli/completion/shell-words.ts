import { escapeControlInLine } from '../../core/escape-control.ts'
import type { Candidate } from './complete.ts'

/** A command line up to the cursor, as a shell reads it. */
interface ShellLine {
  /** Without quotes and backslashes; the last is the one under way, '' where none is begun. */
  readonly words: readonly string[]
  /** The quote that is open at the end. */
  readonly openQuote: '"' | "'" | undefined
  /** How much of the last word, without quotes, stands before the part that the shell replaces. */
  readonly keptLength: number
}

const BLANK = /[ \t\n]/

/**
 * Splits what bash holds of a command line. Nothing is expanded, and nothing run.
 *
 * @param breaks characters at which the line editor begins a new word, as in COMP_WORDBREAKS
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

/** `text` as bash takes it for one word, or for a part of the quoted one that is open. */
function quoteForShell(text: string, openQuote: ShellLine['openQuote']): string {
  if (openQuote === "'") return text.replaceAll("'", String.raw`'\''`)
  if (openQuote === '"') return text.replace(/["\\$`]/g, String.raw`\$&`)
  return text.replace(NEEDS_BACKSLASH, String.raw`\$&`)
}

/** One a line for bash, which is told nothing else: what replaces the word, with the space that ends it. */
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

/** One a line for zsh and fish, which quote by themselves: the value, and behind a tab what it is. */
export function formatWithDescriptions(candidates: readonly Candidate[]): string {
  return lines(candidates, ({ value, description }) =>
    description === undefined ? value : `${value}\t${escapeControlInLine(description)}`,
  )
}

/** A name that holds what a terminal must not show, or that would be two lines, cannot be offered. */
function lines(candidates: readonly Candidate[], format: (candidate: Candidate) => string): string {
  return candidates
    .filter(({ value }) => escapeControlInLine(value) === value)
    .map((candidate) => `${format(candidate)}\n`)
    .join('')
}
