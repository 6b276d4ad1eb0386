import { groupBy } from '../../core/group-by.ts'
import {
  findLanguage,
  toArticleRecord,
  placeInLanguage,
  writtenColumns,
  addRelations,
  replaceRelations,
} from './article-record.ts'
import { type ArticleHead, articleQueries, type ArticleRow, insertArticleRows } from './article-queries.ts'
import type { Database, ItemsWork, QueryArguments, Session } from './query.ts'
import type {
  Store,
  ArticleInput,
  ArticleRefusal,
  CreateOutcome,
  DeleteArticleOutcome,
  IsExpected,
  UpdateArticleOutcome,
} from './store.ts'
import { addAliases, forgetSlug, leaveRedirect, replaceAliases } from './redirects.ts'
import { summarizeContent } from './change-store.ts'
import { replaceFileUses } from './file-store.ts'
import {
  addTargets,
  findTargets,
  removeUnusedTargets,
  type TargetIds,
  unscheduledTargets,
} from './link-rows.ts'
import { findByKeys, noteKeys } from './idempotency-keys.ts'
import { noteNew, noteUnindexed } from './search-store.ts'
import { siteQueries } from './site-queries.ts'
import { taxonQueries } from './taxon-queries.ts'

type ReadArticleOutcome = Awaited<ReturnType<Store['readArticle']>>
/** Without the content, if that is larger than requested. */
type ReadRow = ArticleHead & { readonly content: string | null }

type ArticleStore = Pick<Store, 'readArticle' | 'createArticle' | 'updateArticle' | 'deleteArticle'>

/**
 * Reads, creates, updates and deletes articles.
 *
 * @param articleLimit maximum number of articles of a site without its own limit
 */
export function createArticleStore(database: Database, articleLimit: number): ArticleStore {
  const { reader } = database
  const create: ItemsWork<ArticleInput, CreateOutcome> = (session, siteId, articles) =>
    insertArticles(session, siteId, articles, articleLimit)

  async function readArticle(
    siteId: string,
    id: string,
    code?: string,
    contentBytes = Number.MAX_SAFE_INTEGER,
  ): Promise<ReadArticleOutcome> {
    const row = await reader.first(articleQueries.wholeById, { siteId, id, contentBytes })
    if (row === undefined) return { kind: 'unknown' }
    if (code === undefined) return found(reader, row, false)
    const asked = await findLanguage(reader, siteId, code)
    return asked.kind === 'unknown-language'
      ? asked
      : readTranslation(reader, siteId, row, asked.language, contentBytes)
  }

  return {
    readArticle,
    createArticle: (siteId, article) => database.writeItem(siteId, create, article),
    updateArticle: (siteId, id, article, isExpected) =>
      database.write(siteId, (session) => changeArticle(session, siteId, id, { article, isExpected })),
    deleteArticle: (siteId, id, now, isExpected) =>
      database.write(siteId, (session) => removeArticle(session, siteId, id, { now, isExpected })),
  }
}

async function found(reader: Session, row: ReadRow, isCopy: boolean): Promise<ReadArticleOutcome> {
  const { content } = row
  if (content === null) return { kind: 'large' }
  const related = await reader.all(articleQueries.related, { articleId: row.id })
  const record = toArticleRecord({ ...row, content }, related)
  // A new article has neither a draft nor a published version yet.
  return { kind: 'found', record: isCopy ? { ...record, draftId: '' } : record, isCopy }
}

async function readTranslation(
  reader: Session,
  siteId: string,
  row: ReadRow,
  language: string,
  contentBytes: number,
): Promise<ReadArticleOutcome> {
  const originalId = row.language_parent ?? row.id
  const original =
    (await reader.first(articleQueries.wholeById, { siteId, id: originalId, contentBytes })) ?? row
  const present = [row, original].find((member) => member.language === language)
  const member = present ?? (await findTranslation(reader, original, language, contentBytes))
  if (member !== undefined) return found(reader, member, false)
  return found(reader, { ...original, language, language_parent: originalId, article_parent: null }, true)
}

/** A draft of a published article shares its translations. */
async function findTranslation(
  reader: Session,
  original: ReadRow,
  language: string,
  contentBytes: number,
): Promise<ReadRow | undefined> {
  const of = { language, contentBytes }
  const own = await reader.first(articleQueries.translationInto, { ...of, originalId: original.id })
  if (own !== undefined || original.article_parent === null) return own
  return reader.first(articleQueries.translationInto, { ...of, originalId: original.article_parent })
}

// The three writes of an article, each within a transaction of its caller. Triggers record them in `article_changes`, see
// `migrations.ts`.

/** Where an article is stored, and its counterpart with the same slug: its draft, or its published version. */
interface ResolvedPlace {
  readonly kind: 'resolved'
  readonly language: string
  readonly languageParent: string | null
  readonly counterpart: string | undefined
}

/**
 * Creates articles of a site, with the same outcomes as one after another. Articles that do not affect each other share
 * statements.
 *
 * @param articleLimit maximum number of articles of a site without its own limit
 */
async function insertArticles(
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
  const { resolved, site, targets } = await resolveCreates(session, siteId, articles)
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
  if (accepted.length > 0) await insertAccepted(session, siteId, accepted, targets)
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

async function insertAccepted(
  session: Session,
  siteId: string,
  accepted: readonly AcceptedArticle[],
  known: TargetIds,
): Promise<void> {
  const targets = accepted.flatMap(({ article }) => article.links.map(({ target }) => target))
  // Requested before the rows of the articles, so that the ids arrive while the database inserts them.
  const targetIds = addTargets(session, siteId, targets, known)
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
      targetIds,
    ),
    noteNew(
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
  for (const { article, row } of accepted) await addAliases(session, row, article.aliases, article.now)
}

/**
 * Each kind of read is one statement for all articles, or executed once, and reads run concurrently: on PostgreSQL,
 * other processes wait for the site. No other write of the site runs at the same time, so the results are still valid
 * when the articles are written.
 */
async function resolveCreates(session: Session, siteId: string, articles: readonly ArticleInput[]) {
  const reader = articles.length === 1 ? session : shareReads(session)
  const links = articles.flatMap((article) => article.links)
  const [known, unknown, paired, site, targets] = await Promise.all([
    findByKeys(session, siteId, articles),
    Promise.all(articles.map((article) => findUnknownItem(reader, siteId, article))),
    pairAll(reader, siteId, articles),
    session.first(siteQueries.articles, { siteId }),
    findTargets(
      session,
      siteId,
      links.map(({ target }) => target),
    ),
  ])
  const resolved = articles.map(
    (_, index) => known[index] ?? unknown[index] ?? (paired[index] as ResolvedPlace | ArticleRefusal),
  )
  return { resolved, site, targets }
}

async function pairAll(session: Session, siteId: string, articles: readonly ArticleInput[]) {
  const places = await Promise.all(
    articles.map((article) => placeInLanguage(session, siteId, article, undefined)),
  )
  const besides = new Map<string, Beside>()
  for (const language of new Set(places.flatMap((at) => (at.kind === 'placed' ? [at.language] : [])))) {
    const slugs = articles.filter((_, index) => isPlacedIn(places[index], language)).map(({ slug }) => slug)
    besides.set(language, await readBeside(session, siteId, language, slugs))
  }
  return places.map((at, index) =>
    at.kind === 'placed' ? pair(articles[index] as ArticleInput, at, besides.get(at.language)) : at,
  )
}

function isPlacedIn(at: Placed | ArticleRefusal | undefined, language: string): boolean {
  return at?.kind === 'placed' && at.language === language
}

function newRow(session: Session, siteId: string, article: ArticleInput, place: ResolvedPlace): ArticleRow {
  return {
    ...writtenColumns(article, undefined),
    id: session.newId(),
    site_id: siteId,
    language: place.language,
    language_parent: place.languageParent,
    article_parent: parentOf(article, place),
    created_by: article.writtenBy,
    created_date: article.now,
    ...editedColumns(article, article.now),
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

async function changeArticle(
  session: Session,
  siteId: string,
  id: string,
  { article, isExpected }: { readonly article: ArticleInput; readonly isExpected: IsExpected | undefined },
): Promise<UpdateArticleOutcome> {
  const present = await session.first(articleQueries.byId, { siteId, id })
  if (present === undefined) return { kind: 'unknown' }
  if (!(await isAsExpected(session, present, isExpected))) return { kind: 'unexpected' }
  const placed = await placeArticle(session, siteId, article, present)
  if (placed.kind !== 'placed') return placed
  const beside = await readBeside(session, siteId, placed.language, [article.slug])
  const resolved = pair(article, placed, beside, present)
  if (resolved.kind !== 'resolved') return resolved
  const row: ArticleRow = {
    ...present,
    ...writtenColumns(article, present),
    language: resolved.language,
    language_parent: resolved.languageParent,
    article_parent: parentOf(article, resolved),
    ...editedColumns(article, laterThan(present.last_edited_date, article.now)),
  }
  // Its draft may no longer belong to it, so they are paired again.
  await session.run(articleQueries.release, { parentId: id })
  await session.run(articleQueries.update, row)
  await adoptDraft(session, row, resolved)
  const wanted = { ...article, seoBannerUrl: row.seo_banner_url }
  await replaceRelations(session, { siteId, articleId: id, now: article.now }, wanted)
  await leaveRedirect(session, 'article', present, row, article.now)
  await replaceAliases(session, row, article.aliases, article.now)
  await noteUnindexed(session, siteId, id)
  return { kind: 'updated' }
}

async function isAsExpected(
  session: Session,
  present: ArticleHead,
  isExpected: IsExpected | undefined,
): Promise<boolean> {
  if (isExpected === undefined) return true
  const related = await session.all(articleQueries.related, { articleId: present.id })
  return isExpected(toArticleRecord({ ...present, content: '' }, related))
}

/** An article to write, with the language in which the site stores it. */
type Placed = Extract<Awaited<ReturnType<typeof placeInLanguage>>, { kind: 'placed' }>

async function placeArticle(
  session: Session,
  siteId: string,
  article: ArticleInput,
  present: ArticleHead | undefined,
): Promise<Placed | ArticleRefusal> {
  const unknown = await findUnknownItem(session, siteId, article)
  return unknown ?? placeInLanguage(session, siteId, article, present)
}

/** @returns the stored articles of a language that have one of these slugs, by slug */
async function readBeside(session: Session, siteId: string, language: string, slugs: readonly string[]) {
  const rows = await session.all(articleQueries.bySlugs, { siteId, language, slugs: JSON.stringify(slugs) })
  return groupBy(rows, ({ slug }) => slug)
}

type Beside = Awaited<ReturnType<typeof readBeside>>

function pair(
  article: ArticleInput,
  { language, languageParent }: Placed,
  beside: Beside | undefined,
  present?: ArticleHead,
): ResolvedPlace | ArticleRefusal {
  const others = (beside?.get(article.slug) ?? []).filter(({ id }) => id !== present?.id)
  const taken = others.find(({ status }) => status === article.status)
  if (taken !== undefined) return { kind: 'slug-taken', by: taken.name }
  return { kind: 'resolved', language, languageParent, counterpart: others[0]?.id }
}

async function findUnknownItem(
  session: Session,
  siteId: string,
  { categoryIds, tagIds = [] }: ArticleInput,
): Promise<ArticleRefusal | undefined> {
  const missing = await Promise.all([
    findUnknown(session, siteId, 'categories', categoryIds),
    findUnknown(session, siteId, 'tags', tagIds),
  ])
  return missing.find((each) => each !== undefined)
}

async function findUnknown(
  session: Session,
  siteId: string,
  list: 'categories' | 'tags',
  ids: readonly string[],
): Promise<ArticleRefusal | undefined> {
  const distinct = [...new Set(ids)]
  const known = await Promise.all(
    distinct.map((id) => session.first(taxonQueries[list].exists, { siteId, id })),
  )
  const index = known.indexOf(undefined)
  return index < 0 ? undefined : { kind: 'unknown-item', list, index: ids.indexOf(distinct[index] ?? '') }
}

async function adoptDraft(session: Session, row: ArticleRow, { counterpart }: ResolvedPlace): Promise<void> {
  if (counterpart === undefined || row.status === 'draft') return
  await session.run(articleQueries.adopt, { id: counterpart, parentId: row.id })
}

async function removeArticle(
  session: Session,
  siteId: string,
  id: string,
  { now, isExpected }: { readonly now: string; readonly isExpected: IsExpected | undefined },
): Promise<DeleteArticleOutcome> {
  const row = await session.first(articleQueries.byId, { siteId, id })
  if (row === undefined) return { kind: 'unknown' }
  if (!(await isAsExpected(session, row, isExpected))) return { kind: 'unexpected' }
  const targets = await unscheduledTargets(session, id)
  await forgetSlug(session, 'article', row)
  await replaceFileUses(session, { siteId, kind: 'article', id, now }, '')
  // Foreign keys delete its links, relations and redirects, and its translations and draft lose their parent.
  await session.run(articleQueries.remove, { id })
  await removeUnusedTargets(session, targets)
  await session.run(siteQueries.uncountArticle, { siteId })
  return { kind: 'deleted', name: row.name }
}

function editedColumns({ content }: ArticleInput, date: string) {
  const { digest, comment } = summarizeContent(content)
  return { last_edited_date: date, content_digest: digest, content_comment: comment, digest_date: date }
}

/** A draft of a published article has it as its parent. */
function parentOf({ status }: ArticleInput, { counterpart }: ResolvedPlace): string | null {
  return status === 'draft' ? (counterpart ?? null) : null
}

/** Returns `now`, or one millisecond after `previous` if the clock has not advanced, so that every edit is visible. */
function laterThan(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString()
}
