// Keys of creates, by the extension `idempotency`: a create whose response was lost may be sent again. A key is stored in
// the transaction that creates its article, and only then: what was rejected changed nothing, and may be tried again. If
// the article is deleted, its key creates another one.
import { defineInsert, defineQuery, type Session } from './query.ts'
import type { ArticleDraft, CreateOutcome } from './store.ts'
import type { Tables } from './tables.ts'

/** How long a key is known. */
const KNOWN_MS = 86_400_000

/** The outcome of a create whose key is known; undefined for others. */
export async function findByKey(
  session: Session,
  siteId: string,
  { idempotency, writtenBy, now }: ArticleDraft,
): Promise<Extract<CreateOutcome, { kind: 'repeated' | 'key-reused' }> | undefined> {
  if (idempotency === undefined) return undefined
  const { key, digest } = idempotency
  const known = await session.first(keyQueries.find, {
    siteId,
    userId: writtenBy ?? '',
    key,
    since: knownSince(now),
  })
  if (known === undefined) return undefined
  return known.digest === digest ? { kind: 'repeated', id: known.article_id } : { kind: 'key-reused' }
}

/** Stores the keys of new articles, and removes those of the site that are no longer known. */
export async function noteKeys(
  session: Session,
  siteId: string,
  created: readonly { readonly article: ArticleDraft; readonly id: string }[],
): Promise<void> {
  const rows = created.flatMap(({ article: { idempotency, writtenBy, now }, id }) =>
    idempotency === undefined
      ? []
      : [{ ...idempotency, site_id: siteId, user_id: writtenBy ?? '', article_id: id, created_date: now }],
  )
  const [first] = rows
  if (first === undefined) return
  await session.run(keyQueries.forget, { siteId, since: knownSince(first.created_date) })
  await insertKeys(session, rows)
}

function knownSince(now: string): string {
  return new Date(Date.parse(now) - KNOWN_MS).toISOString()
}

const insertKeys = defineInsert<Tables['idempotency_keys']>('idempotency_keys', [
  'site_id',
  'user_id',
  'key',
  'digest',
  'article_id',
  'created_date',
])

const keyQueries = {
  find: defineQuery((db, is: { siteId: string; userId: string; key: string; since: string }) =>
    db
      .selectFrom('idempotency_keys')
      .select(['digest', 'article_id'])
      .where('site_id', '=', is.siteId)
      .where('user_id', '=', is.userId)
      .where('key', '=', is.key)
      .where('created_date', '>=', is.since),
  ),
  forget: defineQuery((db, is: { siteId: string; since: string }) =>
    db.deleteFrom('idempotency_keys').where('site_id', '=', is.siteId).where('created_date', '<', is.since),
  ),
}
