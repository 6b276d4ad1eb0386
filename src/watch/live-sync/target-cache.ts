import { readCapabilities } from '../../sync/plan/target-capabilities.ts'
import type { Run } from '../../sync/plan-content.ts'
import { type Announcement, createExtensions, type Extensions } from '../../sync/remote/extensions.ts'
import type { RemoteLists } from '../../sync/remote/list-articles.ts'
import type { CreatedTaxonomy } from '../../sync/target-session.ts'

/** What a run about everything has learned that holds for edits of single articles after it. */
export interface TargetCache {
  readonly lists: Omit<RemoteLists, 'dated'>
  /** Asked at most once as long as the connection stands. */
  readonly extensions: Extensions
  readonly created: CreatedTaxonomy
}

/** @param last what the run before had learned over the same connection */
export function cacheTarget(
  { planned, created, session, state }: Run,
  last: TargetCache | undefined,
  nowMs: number,
): TargetCache {
  const { categories, languages, articleLimit } = planned.remote
  const announced = planned.extensions ?? last?.extensions.known()
  const extensions = createExtensions(session.client, state, { nowMs, verify: false })
  return {
    lists: { categories, languages, articleLimit },
    extensions: announced === undefined ? extensions : remembered(announced),
    created,
  }
}

function remembered(announced: Announcement): Extensions {
  return { ask: () => Promise.resolve(readCapabilities(announced.names)), known: () => announced }
}
