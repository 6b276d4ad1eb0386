import { readOffers } from '../../plan/offers.ts'
import type { Run } from '../plan-content.ts'
import { createExtensions, type Extensions } from '../remote/extensions.ts'
import type { RemoteLists } from '../remote/list-articles.ts'
import type { CreatedTaxonomy } from '../target-session.ts'

/** What a run about everything has learned that holds for edits of single articles after it. */
export interface Recollection {
  readonly lists: Omit<RemoteLists, 'dated'>
  /** Asked at most once as long as the connection stands. */
  readonly extensions: Extensions
  readonly created: CreatedTaxonomy
}

/** @param last what the run before had learned over the same connection */
export function recollect(
  { planned, created, session, state }: Run,
  last: Recollection | undefined,
): Recollection {
  const { categories, languages, articleLimit } = planned.remote
  const names = planned.extensions ?? last?.extensions.known()
  return {
    lists: { categories, languages, articleLimit },
    extensions: names === undefined ? createExtensions(session.client, state) : remembered(names),
    created,
  }
}

function remembered(names: readonly string[]): Extensions {
  return { ask: () => Promise.resolve(readOffers(names)), known: () => names }
}
