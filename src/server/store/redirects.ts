// Slugs that redirect to an article, a category or a tag: those that it had while readers saw it, and the aliases that
// the file of an article declares. They reference the item itself, so that there are neither chains nor loops, and an
// item with the slug that readers see always takes precedence.
import { defineQuery, type QueryArguments, type Session } from './query.ts'
import type { ArticleInput } from './records.ts'
import { type RedirectHit, type RedirectPlace, type RedirectRecord, REDIRECTS_START } from './reader-data.ts'

type SlugPlace = { readonly siteId: string; readonly language: string; readonly slug: string }

type RedirectKind = RedirectPlace['kind']

/** An item with its former location, and in a write its new one. */
interface MovedItem {
  readonly id: string
  readonly site_id: string
  readonly slug: string
  readonly language: string
  /** Status of an article. Readers see all categories and tags. */
  readonly status?: string
}

/** Redirects from the URL that readers know if the item has another one now. */
export async function leaveRedirect(
  session: Session,
  kind: RedirectKind,
  before: MovedItem,
  after: MovedItem,
  now: string,
): Promise<void> {
  if (before.status === 'draft' || (before.slug === after.slug && before.language === after.language)) return
  await session.run(redirectQueries[kind].leave, { ...placeOf(before), id: before.id, now })
}

/** Removes the redirect from the slug of a deleted item that readers saw, unless a file declares it. */
export async function forgetSlug(session: Session, kind: RedirectKind, item: MovedItem): Promise<void> {
  if (item.status !== 'draft') await session.run(redirectQueries[kind].forget, placeOf(item))
}

type WrittenAliases = Pick<ArticleInput, 'aliases' | 'now'>

/** Adds aliases to a new article. Takes over those of other articles. */
export async function addAliases(
  session: Session,
  { id, site_id: siteId, language }: MovedItem,
  { aliases, now }: WrittenAliases,
): Promise<void> {
  for (const slug of new Set(aliases))
    await session.send(redirectQueries.article.declare, { siteId, language, slug, id, now })
}

/** Replaces the aliases of an article. Takes over those of others. @param aliases undefined: no change */
export async function replaceAliases(
  session: Session,
  article: MovedItem,
  { aliases, now }: WrittenAliases,
): Promise<void> {
  if (aliases === undefined) return
  const { site_id: siteId, language } = article
  const queries = redirectQueries.article
  const present = await session.all(queries.aliases, { articleId: article.id })
  const isKept = (alias: (typeof present)[number]) =>
    alias.language === language && aliases.includes(alias.slug)
  for (const alias of present.filter((each) => !isKept(each)))
    await session.run(queries.remove, { siteId, ...alias })
  const kept = new Set(present.filter(isKept).map(({ slug }) => slug))
  const added = aliases.filter((slug) => !kept.has(slug))
  await addAliases(session, article, { aliases: added, now })
}

function placeOf({ site_id: siteId, language, slug }: MovedItem): SlugPlace {
  return { siteId, language, slug }
}

interface NewRedirect extends QueryArguments, SlugPlace {
  readonly id: string
  readonly now: string
}

export const redirectQueries = {
  article: queriesOf('article'),
  category: queriesOf('category'),
  tag: queriesOf('tag'),
} as const

function queriesOf(kind: RedirectKind) {
  // The types treat all three tables as the first one.
  const table = `${kind}_redirects` as 'article_redirects'
  const column = `${kind}_id` as 'article_id'
  const rowOf = ({ siteId, slug, language, id, now }: NewRedirect, declared: 0 | 1) => {
    return { site_id: siteId, slug, language, [column]: id, declared, created_date: now }
  }
  return {
    leave: defineQuery((db, is: NewRedirect) =>
      db
        .insertInto(table)
        .values(rowOf(is, 0))
        .onConflict((conflict) =>
          conflict
            .columns(KEY)
            .doUpdateSet({ [column]: is.id, created_date: is.now, hits: 0, last_hit_date: null })
            .where(`${table}.declared`, '=', 0),
        ),
    ),
    declare: defineQuery((db, is: NewRedirect) =>
      db
        .insertInto(table)
        .values(rowOf(is, 1))
        .onConflict((conflict) =>
          conflict.columns(KEY).doUpdateSet({ [column]: is.id, declared: 1, created_date: is.now }),
        ),
    ),
    forget: defineQuery((db, is: SlugPlace & QueryArguments) =>
      db
        .deleteFrom(table)
        .where((eb) => eb.and({ site_id: is.siteId, slug: is.slug, language: is.language }))
        .where('declared', '=', 0),
    ),
    remove: defineQuery((db, is: SlugPlace & QueryArguments) =>
      db
        .deleteFrom(table)
        .where((eb) => eb.and({ site_id: is.siteId, slug: is.slug, language: is.language })),
    ),
    aliases: defineQuery((db, is: { articleId: string }) =>
      db
        .selectFrom(table)
        .select(['slug', 'language'])
        .where(column, '=', is.articleId)
        .where('declared', '=', 1),
    ),
    countHits: defineQuery(
      (db, is: Omit<RedirectHit, 'kind'> & QueryArguments & { siteId: string; now: string }) =>
        db
          .updateTable(table)
          .set((eb) => ({ hits: eb('hits', '+', is.hits), last_hit_date: is.now }))
          .where((eb) => eb.and({ site_id: is.siteId, slug: is.slug, language: is.language })),
    ),
  }
}

const KEY = ['site_id', 'slug', 'language'] as const

/** Lists the redirects to articles, then to categories, then to tags, without slugs of items that readers see. */
export async function listRedirects(
  reader: Session,
  siteId: string,
  after: RedirectPlace,
  limit: number,
): Promise<readonly RedirectRecord[]> {
  const found: RedirectRecord[] = []
  for (const kind of KINDS.slice(KINDS.indexOf(after.kind))) {
    const { slug, language } = kind === after.kind ? after : REDIRECTS_START
    const rows = await reader.all(pages[kind], { siteId, slug, language, limit: limit - found.length })
    for (const { itemId, itemName, ...row } of rows)
      found.push({
        kind,
        slug: row.slug,
        language: row.language,
        isDeclared: row.declared === 1,
        createdDate: row.created_date,
        hits: row.hits,
        lastHitDate: row.last_hit_date ?? '',
        leadsTo: { id: itemId, name: itemName },
      })
    if (found.length >= limit) break
  }
  return found
}

const KINDS = ['article', 'category', 'tag'] as const satisfies readonly RedirectKind[]

const pages = { article: pageOf('article'), category: pageOf('category'), tag: pageOf('tag') } as const

function pageOf(kind: RedirectKind) {
  // The types treat all tables as those of articles.
  const table = `${kind}_redirects` as 'article_redirects'
  const items = (kind === 'category' ? 'categories' : `${kind}s`) as 'articles'
  return defineQuery(
    (db, is: Omit<RedirectPlace, 'kind'> & QueryArguments & { siteId: string; limit: number }) =>
      db
        .selectFrom(`${table} as redirect`)
        .innerJoin(`${items} as item`, 'item.id', `redirect.${kind as 'article'}_id`)
        .select([
          'redirect.slug',
          'redirect.language',
          'redirect.declared',
          'redirect.created_date',
          'redirect.hits',
          'redirect.last_hit_date',
          'item.id as itemId',
          'item.name as itemName',
        ])
        .where('redirect.site_id', '=', is.siteId)
        .where((eb) =>
          eb(
            eb.refTuple('redirect.slug', 'redirect.language'),
            '>',
            eb.tuple(eb.val(is.slug), eb.val(is.language)),
          ),
        )
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom(`${items} as owner`)
                .select('owner.id')
                .$if(kind === 'article', (owners) => owners.where('owner.status', '=', 'published'))
                .whereRef('owner.site_id', '=', 'redirect.site_id')
                .whereRef('owner.language', '=', 'redirect.language')
                .whereRef('owner.slug', '=', 'redirect.slug'),
            ),
          ),
        )
        .orderBy('redirect.slug')
        .orderBy('redirect.language')
        .limit(is.limit),
  )
}
