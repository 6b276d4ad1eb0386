import { escapeControlInLine } from '../../core/escape-control.ts'
import type { Candidate } from './candidate.ts'
import { quoteForShell, type ShellLine } from './shell-words.ts'

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
