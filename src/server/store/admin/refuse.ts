import { KbError } from '../../../core/errors/kb-error.ts'
import { nearest } from '../../../core/nearest.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'

/** How many names a hint lists. */
const LISTED = 10

/** `word` names no `noun`; the hint offers what may have been meant. */
export function noSuchItem(noun: string, word: string, candidates: readonly string[]): KbError {
  const meant = nearest(word, candidates)
  return new KbError(
    'ITEM_UNKNOWN',
    `There is no ${noun} "${escapeControlInLine(word)}". Nothing was changed.`,
    {
      hint: meant === undefined ? listing(noun, candidates) : `Did you mean "${escapeControlInLine(meant)}"?`,
    },
  )
}

function listing(noun: string, candidates: readonly string[]): string {
  if (candidates.length === 0) return `There is no ${noun} at all yet.`
  const names = candidates.slice(0, LISTED).map((name) => escapeControlInLine(name))
  const rest = candidates.length > LISTED ? ', …' : ''
  return `There is: ${names.join(', ')}${rest}.`
}

export function itemExists(what: string): KbError {
  return new KbError('ITEM_EXISTS', `${what} Nothing was changed.`, { hint: 'Choose another name.' })
}

export function itemInUse(what: string, hint: string): KbError {
  return new KbError('ITEM_IN_USE', `${what} Nothing was changed.`, { hint })
}
