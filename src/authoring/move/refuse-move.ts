import { KbError } from '../../core/errors/kb-error.ts'

/** Why nothing can be moved so, and what to do instead. */
export function refused(message: string, hint: string): KbError {
  return new KbError('USAGE', message, { hint })
}

export function outside(written: string, contentRoot: string): KbError {
  return refused(`${written} is not in the content folder.`, `Articles are in ${contentRoot}.`)
}
