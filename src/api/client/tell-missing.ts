import { randomUUID } from 'node:crypto'
import { readEnvelope } from './read-envelope.ts'
import type { Result } from './send-with-retries.ts'

/** Asks for an item by its id. */
type Ask = (id: string) => Promise<Result>

interface TellMissing {
  /**
   * Whether an answer to the question for an item means that there is none.
   *
   * @param ask asks for another item of the same kind
   * @param askArticle asks for an article
   */
  readonly isMissing: (id: string, result: Result, ask: Ask, askArticle: Ask) => Promise<boolean>
  /** Takes note of articles that the target lists. */
  readonly noteListed: (ids: Iterable<string>) => void
}

/**
 * Tells what a target means that refuses to show an item: the interface documents neither a status nor a message for an
 * unknown id ("Errors" in the specification), so it may be 404 and just as well 200, 400 or 403. It is asked for an
 * item that cannot exist, for an article that it lists, and once more for this one. Only where the first and the last answer say the same as
 * before, and the listed article can be read (or there is none), is the item mistaken for missing: everything else is a
 * target in trouble.
 */
export function createTellMissing(): TellMissing {
  let listed: ReadonlySet<string> | undefined
  return {
    noteListed: (ids) => {
      listed = new Set(ids)
    },
    isMissing: async (id, result, ask, askArticle) => {
      const words = refusalOf(result, id)
      // Nothing is known yet of how this target answers.
      if (words === undefined || listed === undefined) return false
      const unknown = unknownIdLike(id)
      if (words !== refusalOf(await ask(unknown), unknown)) return false
      const control = [...listed].find((other) => other !== id)
      if (control !== undefined && !isSuccess(await askArticle(control))) return false
      return words === refusalOf(await ask(id), id)
    },
  }
}

/** Statuses that are no riddle: no such item, or no answer to anything now. */
const PLAIN: ReadonlySet<number> = new Set([401, 404, 408, 410, 429])

/** With which status and words it was refused, without the id in them; undefined for every other answer. */
function refusalOf(result: Result, id: string): string | undefined {
  if (result.kind === 'broken' || PLAIN.has(result.status)) return undefined
  if (result.status >= 500 || (result.status >= 300 && result.status < 400)) return undefined
  const envelope = readEnvelope(result)
  return envelope.kind === 'failure'
    ? `${result.status} ${envelope.message.replaceAll(id, '{id}')}`
    : undefined
}

function isSuccess(result: Result): boolean {
  return result.kind === 'answered' && result.status < 300 && readEnvelope(result).kind === 'success'
}

/** A number where ids are numbers: a target may have other words for what is no id at all. */
function unknownIdLike(id: string): string {
  return /^\d+$/.test(id) ? '9'.repeat(Math.min(id.length + 4, 15)) : randomUUID()
}
