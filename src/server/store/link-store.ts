// Links are derived from the stored content after a write, because finding and storing them takes longer than the write.
// Lists, reports and the link checker first derive those of all articles that have changed; servers also do so when they
// are idle. Triggers record every change of an article with its revision, and a site stores the revision up to which its
// links are derived, so that a write need not mark its article, whichever version of the program makes it.
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { findLinks, findLinksInSlices } from '../links/find-links.ts'
import { createLinkTarget, type LinkTargetOf } from '../links/link-target.ts'
import { articleQueries } from './article-queries.ts'
import { DatabaseUnavailable } from './database-errors.ts'
import { type LinkedArticle, replaceLinks } from './link-rows.ts'
import { type Database, defineQuery, type Session } from './query.ts'
import type { Tables } from './tables.ts'

/** Maximum number of links of an article, in the order of its content. */
const MOST_LINKS = 10_000

/** Number of articles that are read at a time, and time to find their links after which they are stored. */
const ARTICLES_AT_ONCE = 100
const SLICE_MS = 10

/** Maximum size of a content that is read in the transaction, together with others. */
const SHORT_BYTES = 100_000

/** Maximum time of a run in the background once writes follow, which wait for the same lock. */
const BACKGROUND_MS = 1000

/** Maximum time that a page waits for links to be derived; then it shows those that are. */
const PATIENCE_MS = 3000

/** The change of an article. Reading continues after it. */
interface Change {
  readonly revision: number
  readonly id: string
}

interface Progress {
  readonly after: Change
  /** The next article if it is long. */
  readonly long?: Change | undefined
}

interface Run {
  readonly ended: Promise<void>
  /** True if a reader waits for the links, so that the run must not leave any. */
  isAwaited: boolean
}

export type LinkStore = ReturnType<typeof createLinkStore>

/** @param articlePath path of an article on the site, with `{slug}`, by which relative links lead to articles */
export function createLinkStore(database: Database, articlePath = '/articles/{slug}') {
  const { reader } = database
  const targetOf = createLinkTarget(articlePath)
  const running = new Map<string, Run>()
  let isClosed = false

  /** Derives the links of all articles of a site that have changed so far. Almost free if there are none. */
  const catchUp = (siteId: string) => runAfterCurrent(siteId, true)

  async function runAfterCurrent(siteId: string, isAwaited: boolean): Promise<void> {
    // A run in progress may have read before the last write.
    await running.get(siteId)?.ended
    if (isClosed) return
    const run = running.get(siteId) ?? begin(siteId)
    run.isAwaited ||= isAwaited
    await run.ended
  }

  function begin(siteId: string): Run {
    const endMs = performance.now() + BACKGROUND_MS
    const mayGoOn = async (upTo: number) =>
      !isClosed && (run.isAwaited || performance.now() < endMs || (await database.revision(siteId)) <= upTo)
    const ended = derive(database, { siteId, targetOf }, mayGoOn).finally(() => running.delete(siteId))
    const run: Run = { ended, isAwaited: false }
    running.set(siteId, run)
    return run
  }

  return {
    targetOf,
    catchUp,
    /** The same for a page, which does not wait for long. */
    catchUpBriefly: (siteId: string) =>
      Promise.race([catchUp(siteId), sleep(PATIENCE_MS, undefined, { ref: false })]),
    /** Derives links of all sites in the background: leaves a site if it is written for longer than a moment. */
    catchUpAll: async () => {
      for (const { id } of await reader.all(linkQueries.sitesBehind, {})) await runAfterCurrent(id, false)
    },
    /** Stops after the current transaction. */
    close: async () => {
      isClosed = true
      await Promise.allSettled([...running.values()].map(({ ended }) => ended))
    },
  }
}

/**
 * Later changes are left for the next run, so that constant ones do not prolong it.
 *
 * @param mayGoOn is asked before each transaction, with the revision up to which links are derived
 */
async function derive(
  database: Database,
  { siteId, targetOf }: Pick<DeriveArguments, 'siteId' | 'targetOf'>,
  mayGoOn: (upTo: number) => Promise<boolean>,
): Promise<void> {
  const { reader } = database
  const upTo = await database.revision(siteId)
  let progress: Progress = { after: { revision: 0, id: '' } }
  let mayRepeat = true
  while ((await reader.first(linkQueries.isBehind, { siteId, upTo })) !== undefined) {
    if (!(await mayGoOn(upTo))) return
    const { after, long } = progress
    const content = long && (await reader.first(articleQueries.contentOf, long))?.content
    const urls = await findLinksInSlices(content ?? '', MOST_LINKS)
    progress = await database
      .writeWithoutRevision(siteId, (session) =>
        deriveSome(session, { siteId, after, upTo, long: long && { ...long, urls }, targetOf }),
      )
      .catch((error: unknown) => {
        if (!mayRepeat || !(error instanceof DatabaseUnavailable) || error.fate !== 'unknown') throw error
        // The next transaction starts where this one did, or where it ended.
        mayRepeat = false
        return progress
      })
    await turn()
  }
}

interface DeriveArguments {
  readonly siteId: string
  readonly after: Change
  readonly upTo: number
  /** A long article with its links, valid for this revision. */
  readonly long: (Change & { readonly urls: readonly string[] }) | undefined
  readonly targetOf: LinkTargetOf
}

/** Derives the links of some articles, in a transaction. Another process may have done it since the last one. */
async function deriveSome(session: Session, { siteId, upTo, long, targetOf, ...from }: DeriveArguments) {
  const { linked_revision: linked = 0 } = (await session.first(linkQueries.linked, { siteId })) ?? {}
  // Another process may also have restored a backup, which is derived up to an earlier revision.
  let after = from.after.revision === linked + 1 ? from.after : { revision: linked + 1, id: '' }
  const page = { siteId, ...after, upTo, limit: ARTICLES_AT_ONCE, contentBytes: SHORT_BYTES }
  const rows = await session.all(articleQueries.changedContents, page)
  const articles: LinkedArticle[] = []
  const endMs = performance.now() + SLICE_MS
  let next = rows[0]
  for (let index = 0; next !== undefined && performance.now() < endMs; next = rows[++index]) {
    const { id, revision, slug, date, content } = next
    if (slug !== null && date !== null) {
      const known = long?.id === id && long.revision === revision ? long.urls : undefined
      const urls = content === null ? known : findLinks(content, MOST_LINKS)
      if (urls === undefined) break
      articles.push({
        id,
        date,
        links: urls.map((url) => ({ url, target: targetOf(url, { siteId, slug }) })),
      })
    }
    after = { id, revision }
  }
  await replaceLinks(session, siteId, articles)
  const isEnd = next === undefined && rows.length < ARTICLES_AT_ONCE
  await session.send(linkQueries.advance, { siteId, revision: isEnd ? upTo : after.revision - 1 })
  return { after, long: next?.content === null ? next : undefined }
}

/** Selects the sites with changes up to a revision whose links are not derived. */
function selectBehind(db: Kysely<Tables>, upTo: number) {
  return db
    .selectFrom('sites')
    .select('id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('article_changes as change')
          .select('change.article_id')
          .whereRef('change.site_id', '=', 'sites.id')
          .whereRef('change.revision', '>', 'sites.linked_revision')
          .where('change.revision', '<=', upTo),
      ),
    )
}

const linkQueries = {
  sitesBehind: defineQuery((db) => selectBehind(db, Number.MAX_SAFE_INTEGER)),
  isBehind: defineQuery((db, is: { siteId: string; upTo: number }) =>
    selectBehind(db, is.upTo).where('id', '=', is.siteId),
  ),
  linked: defineQuery((db, is: { siteId: string }) =>
    db.selectFrom('sites').select('linked_revision').where('id', '=', is.siteId),
  ),
  advance: defineQuery((db, is: { siteId: string; revision: number }) =>
    db
      .updateTable('sites')
      .set({ linked_revision: is.revision })
      .where('id', '=', is.siteId)
      .where('linked_revision', '<', is.revision),
  ),
}
