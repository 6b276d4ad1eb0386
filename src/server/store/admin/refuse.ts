import { KbError } from '../../../core/errors/kb-error.ts'
import { nearest } from '../../../core/nearest.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'

/** Maximum number of names in a hint. */
const LISTED = 10

/** Returns the error if no `noun` is called `word`, with a suggestion. @param candidates undefined if unknown */
export function noSuchItem(noun: string, word: string, candidates?: readonly string[]): KbError {
  const message = `There is no ${noun} "${escapeControlInLine(word)}". Nothing was changed.`
  return new KbError(
    'ITEM_UNKNOWN',
    message,
    candidates === undefined ? {} : { hint: hintFrom(noun, word, candidates) },
  )
}

function hintFrom(noun: string, word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates)
  return meant === undefined ? listing(noun, candidates) : `Did you mean "${escapeControlInLine(meant)}"?`
}

function listing(noun: string, candidates: readonly string[]): string {
  if (candidates.length === 0) {
    const group = noun === 'category' ? 'categories' : `${noun}s`
    return `There is none yet. To add one, use kb admin ${group} add.`
  }
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
