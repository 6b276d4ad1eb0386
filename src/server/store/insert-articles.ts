import { type Session, type QueryArguments, defineQuery, defineInsert } from './query.ts'
import type { ArticleInput, ArticleRefusal, CreateOutcome } from './records.ts'
import {
  type ResolvedPlace,
  type LanguagePlace,
  placeInLanguage,
  type ArticlesBySlug,
  readAtSlugs,
  pairWithCounterpart,
  findUnknownItem,
  adoptDraft,
  parentOf,
} from './place-article.ts'
import { type ArticleRow, insertArticleRows } from './article-queries.ts'
import { addRelations, writtenColumns } from './article-record.ts'
import { siteQueries } from './site-queries.ts'
import { insertUnindexed } from './search-store.ts'
import { addAliases } from './redirects.ts'
import { isOneOf } from './json-lists.ts'
import type { Tables } from './tables.ts'
import { groupBy } from '../../core/group-by.ts'

/**
 * Creates articles of a site, with the same outcomes as one after another. Articles that do not affect each other share
 * statements.
 *
 * @param articleLimit maximum number of articles of a site without its own limit
 */
export async function insertArticles(
  session: Session,
  siteId: string,
  articles: readonly ArticleInput[],
  articleLimit: number,
): Promise<CreateOutcome[]> {
  const outcomes: CreateOutcome[] = []
  for (const part of splitRivals(articles)) {
    const together = await insertTogether(session, siteId, part, articleLimit)
    if (together !== undefined) outcomes.push(...together)
    else
      for (const article of part)
        outcomes.push(...(await insertArticles(session, siteId, [article], articleLimit)))
  }
  return outcomes
}

/** Maximum length of the HTML between which other requests are answered, unless one article is longer. */
const LONGEST_PART = 1_000_000

/**
 * Splits articles into short parts in which no two compete for a slug, for a key, or for the translation of an article
 * into a language.
 */
function splitRivals(articles: readonly ArticleInput[]): ArticleInput[][] {
  const parts: ArticleInput[][] = []
  let claimed = new Set<string>()
  let length = 0
  for (const article of articles) {
    const { slug, languageParent, idempotency, writtenBy, content } = article
    length += content.length
    const claims = [
      `slug ${slug}`,
      ...(languageParent ? [`translation ${languageParent}`] : []),
      ...(idempotency ? [`key ${writtenBy} ${idempotency.key}`] : []),
    ]
    if (parts.length === 0 || length > LONGEST_PART || claims.some((claim) => claimed.has(claim))) {
      parts.push([])
      claimed = new Set()
      length = content.length
    }
    for (const claim of claims) claimed.add(claim)
    parts.at(-1)?.push(article)
  }
  return parts
}

/** Inserts articles together. Undefined, with nothing changed, if one of them affects another one. */
async function insertTogether(
  session: Session,
  siteId: string,
  articles: readonly ArticleInput[],
  articleLimit: number,
): Promise<CreateOutcome[] | undefined> {
  const { resolved, site } = await resolveCreates(session, siteId, articles)
  const accepted = articles.flatMap((article, index) => {
    const place = resolved[index]
    return place?.kind === 'resolved'
      ? [{ article, place, row: newRow(session, siteId, article, place) }]
      : []
  })
  // A draft that gets a published version is no longer an original.
  const adopts = accepted.some(({ place }) => place.counterpart !== undefined)
  const translates = articles.some(({ languageParent }) => languageParent)
  if (articles.length > 1 && adopts && translates) return undefined
  const limit = site?.article_limit ?? articleLimit
  if (accepted.length > 0 && (site?.article_count ?? 0) + accepted.length > limit)
    return articles.length > 1 ? undefined : [{ kind: 'limit-reached', limit }]
  if (accepted.length > 0) await insertAccepted(session, siteId, accepted)
  const created = new Map(accepted.map(({ article, row }) => [article, row.id]))
  return articles.map((article, index) => {
    const id = created.get(article)
    return id === undefined
      ? (resolved[index] as Exclude<CreateOutcome, { kind: 'created' }>)
      : { kind: 'created', id }
  })
}

interface AcceptedArticle {
  readonly article: ArticleInput
  readonly place: ResolvedPlace
  readonly row: ArticleRow
}

async function insertAccepted(session: Session, siteId: string, accepted: readonly AcceptedArticle[]) {
  await Promise.all([
    session.send(siteQueries.countArticles, { siteId, added: accepted.length }),
    insertArticleRows(
      session,
      accepted.map(({ row }) => row),
    ),
    ...accepted.map(({ row, place }) => adoptDraft(session, row, place)),
    addRelations(
      session,
      siteId,
      accepted.map(({ article, row }) => ({ ...article, siteId, articleId: row.id })),
    ),
    insertUnindexed(
      session,
      accepted.map(({ row }) => ({ article_id: row.id, site_id: siteId })),
    ),
    noteKeys(
      session,
      siteId,
      accepted.map(({ article, row }) => ({ article, id: row.id })),
    ),
  ])
  // In this order, since a later article takes over an alias of an earlier one.
  for (const { article, row } of accepted) await addAliases(session, row, article)
}

/**
 * Each kind of read is one statement for all articles, or executed once, and reads run concurrently: on PostgreSQL,
 * other processes wait for the site. No other write of the site runs at the same time, so the results are still valid
 * when the articles are written.
 */
async function resolveCreates(session: Session, siteId: string, articles: readonly ArticleInput[]) {
  const reader = articles.length === 1 ? session : shareReads(session)
  const [known, unknown, paired, site] = await Promise.all([
    findByKeys(session, siteId, articles),
    Promise.all(articles.map((article) => findUnknownItem(reader, siteId, article))),
    pairAll(reader, siteId, articles),
    session.first(siteQueries.articles, { siteId }),
  ])
  const resolved = articles.map(
    (_, index) => known[index] ?? unknown[index] ?? (paired[index] as ResolvedPlace | ArticleRefusal),
  )
  return { resolved, site }
}

async function pairAll(session: Session, siteId: string, articles: readonly ArticleInput[]) {
  const places = await Promise.all(
    articles.map((article) => placeInLanguage(session, siteId, article, undefined)),
  )
  const besides = new Map<string, ArticlesBySlug>()
  for (const language of new Set(places.flatMap((at) => (at.kind === 'placed' ? [at.language] : [])))) {
    const slugs = articles.filter((_, index) => isPlacedIn(places[index], language)).map(({ slug }) => slug)
    besides.set(language, await readAtSlugs(session, siteId, language, slugs))
  }
  return places.map((at, index) =>
    at.kind === 'placed'
      ? pairWithCounterpart(articles[index] as ArticleInput, at, besides.get(at.language))
      : at,
  )
}

function isPlacedIn(at: LanguagePlace | ArticleRefusal | undefined, language: string): boolean {
  return at?.kind === 'placed' && at.language === language
}

function newRow(session: Session, siteId: string, article: ArticleInput, place: ResolvedPlace): ArticleRow {
  return {
    ...writtenColumns(article, article.now),
    id: session.newId(),
    site_id: siteId,
    language: place.language,
    language_parent: place.languageParent,
    article_parent: parentOf(article, place),
    created_by: article.writtenBy,
    created_date: article.now,
  }
}

/** Caches reads, so that each is executed once. */
function shareReads(session: Session): Session {
  const shared = new Map<unknown, Map<string, Promise<unknown>>>()
  function once<Value>(query: unknown, args: QueryArguments, read: () => Promise<Value>): Promise<Value> {
    const known = shared.get(query) ?? new Map<string, Promise<unknown>>()
    shared.set(query, known)
    const key = JSON.stringify(args)
    const reading = known.get(key) ?? read()
    known.set(key, reading)
    return reading as Promise<Value>
  }
  return {
    ...session,
    first: (query, args) => once(query, args, () => session.first(query, args)),
    all: (query, args) => once(query, args, () => session.all(query, args)),
  }
}

// Keys of creates (extension `idempotency`): a create whose response was lost may be repeated. A key is stored in the
// transaction that creates its article, and only then: a rejected create changed nothing, and may be repeated. After
// the article is deleted, its key can create another one.

/** How long a key is stored. */
const KNOWN_MS = 86_400_000

type KnownOutcome = Extract<CreateOutcome, { kind: 'repeated' | 'key-reused' }>

/** Returns the outcomes of the creates whose keys are known; undefined for others. */
async function findByKeys(
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
async function noteKeys(
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
