// Keys of creates (extension `idempotency`): a create whose response was lost may be repeated. A key is stored in the
// transaction that creates its article, and only then: a rejected create changed nothing, and may be repeated. After
// the article is deleted, its key can create another one.
import { groupBy } from '../../core/group-by.ts'
import { isOneOf } from './json-lists.ts'
import { defineInsert, defineQuery, type Session } from './query.ts'
import type { ArticleInput, CreateOutcome } from './store.ts'
import type { Tables } from './tables.ts'

/** How long a key is stored. */
const KNOWN_MS = 86_400_000

type KnownOutcome = Extract<CreateOutcome, { kind: 'repeated' | 'key-reused' }>

/** Returns the outcomes of the creates whose keys are known; undefined for others. */
export async function findByKeys(
  session: Session,
  siteId: string,
  articles: readonly ArticleInput[],
): Promise<(KnownOutcome | undefined)[]> {
  const keyed = articles.filter(({ idempotency }) => idempotency !== undefined)
  const known = new Map<
    string,
    { readonly digest: string; readonly article_id: string; readonly created_date: string }
  >()
  for (const [userId, own] of groupBy(keyed, ({ writtenBy }) => writtenBy ?? '')) {
    const keys = JSON.stringify(own.map(({ idempotency }) => idempotency?.key))
    for (const row of await session.all(keyQueries.find, { siteId, userId, keys }))
      known.set(`${userId} ${row.key}`, row)
  }
  return articles.map(({ idempotency, writtenBy, now }) => {
    const found = idempotency && known.get(`${writtenBy ?? ''} ${idempotency.key}`)
    if (idempotency === undefined || found === undefined || found.created_date < knownSince(now))
      return undefined
    return found.digest === idempotency.digest
      ? { kind: 'repeated', id: found.article_id }
      : { kind: 'key-reused' }
  })
}

/** Stores the keys of new articles, and removes expired ones of the site. */
export async function noteKeys(
  session: Session,
  siteId: string,
  created: readonly { readonly article: ArticleInput; readonly id: string }[],
): Promise<void> {
  const rows = created.flatMap(({ article: { idempotency, writtenBy, now }, id }) =>
    idempotency === undefined
      ? []
      : [{ ...idempotency, site_id: siteId, user_id: writtenBy ?? '', article_id: id, created_date: now }],
  )
  const [first] = rows
  if (first === undefined) return
  await session.send(keyQueries.forget, { siteId, since: knownSince(first.created_date) })
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
  find: defineQuery((db, is: { siteId: string; userId: string; keys: string }, dialect) =>
    db
      .selectFrom('idempotency_keys')
      .select(['key', 'digest', 'article_id', 'created_date'])
      .where('site_id', '=', is.siteId)
      .where('user_id', '=', is.userId)
      .where(isOneOf('key', is.keys, dialect)),
  ),
  forget: defineQuery((db, is: { siteId: string; since: string }) =>
    db.deleteFrom('idempotency_keys').where('site_id', '=', is.siteId).where('created_date', '<', is.since),
  ),
}
