import { articleOfTarget } from './link-target.ts'
import type { DueLink, DuePlace } from '../store/link-check-data.ts'
import { parseUrl } from '../../core/parse-url.ts'

/** What is to be checked now. */
export interface ChosenLinks {
  readonly addresses: readonly DueLink[]
  readonly articles: readonly DueLink[]
  /** Whether more could be chosen at once. */
  readonly more: boolean
}

export interface ChoiceLimits {
  /** Addresses that may be chosen. */
  readonly room: number
  readonly articles: number
  /** Entries of the list that are read. */
  readonly read: number
}

type ReadDue = (after: DuePlace, limit: number) => Promise<readonly DueLink[]>

const START: DuePlace = { dueDate: '', target: '' }
const PAGE = 500

/**
 * Chooses from the list of what is due, passing over those for whom `hasRoom` is false: a host with thousands of links
 * stands in front of nobody. A long list is read in pieces, each call beginning where the last one ended.
 */
export function createLinkChooser(read: ReadDue) {
  let place = START

  return async (limits: ChoiceLimits, hasRoom: (target: string) => boolean): Promise<ChosenLinks> => {
    const addresses: DueLink[] = []
    const articles: DueLink[] = []
    const isFull = () => addresses.length >= limits.room
    for (let count = 0; count < limits.read; count += PAGE) {
      const page = await read(place, PAGE)
      for (const due of page) {
        place = due
        if (articleOfTarget(due.target) !== undefined) articles.push(due)
        else if (!isFull() && hasRoom(due.target)) addresses.push(due)
        if (articles.length >= limits.articles) return { addresses, articles, more: true }
      }
      if (page.length < PAGE) {
        place = START
        return { addresses, articles, more: false }
      }
    }
    return { addresses, articles, more: !isFull() }
  }
}

/** The host that a check of this target begins at; '' where the target is no valid address. */
export function hostOfTarget(target: string): string {
  return parseUrl(target)?.hostname ?? ''
}
