// Slugs that lead to an article: those that it had while it was published, and the aliases that its file declares. They
// name the article itself, so that there are neither chains nor loops, and a published article with the slug always wins.
import { defineQuery, type QueryArguments, type Session } from './query.ts'
import type { RedirectHit, RedirectPlace } from './reader-data.ts'

type SlugPlace = { readonly siteId: string; readonly language: string; readonly slug: string }

/** An article with its old place, and its new one in a write. */
interface MovedArticle {
  readonly id: string
  readonly site_id: string
  readonly slug: string
  readonly language: string
  readonly status: string
}

/** Keeps the URL that readers know of an article that has another one now. */
export async function leaveRedirect(
  session: Session,
  before: MovedArticle,
  after: MovedArticle,
  now: string,
): Promise<void> {
  if (before.status !== 'published' || (before.slug === after.slug && before.language === after.language))
    return
  await session.run(redirectQueries.leave, { ...placeOf(before), articleId: before.id, now })
}

/** When a published article is deleted, its slug leads nowhere any more, except where a file declares it. */
export async function forgetSlug(session: Session, article: MovedArticle): Promise<void> {
  if (article.status === 'published') await session.run(redirectQueries.forget, placeOf(article))
}

/** Replaces the aliases of an article; those of others are taken over. @param aliases undefined: no change */
export async function replaceAliases(
  session: Session,
  article: MovedArticle,
  aliases: readonly string[] | undefined,
  now: string,
): Promise<void> {
  if (aliases === undefined) return
  const { id, site_id: siteId, language } = article
  const present = await session.all(redirectQueries.aliases, { articleId: id })
  const isKept = (alias: (typeof present)[number]) =>
    alias.language === language && aliases.includes(alias.slug)
  for (const alias of present.filter((each) => !isKept(each))) {
    await session.run(redirectQueries.remove, { siteId, ...alias })
  }
  for (const slug of new Set(aliases)) {
    if (present.some((alias) => isKept(alias) && alias.slug === slug)) continue
    await session.run(redirectQueries.declare, { siteId, language, slug, articleId: id, now })
  }
}

function placeOf({ site_id: siteId, language, slug }: MovedArticle): SlugPlace {
  return { siteId, language, slug }
}

interface NewRedirect extends QueryArguments, SlugPlace {
  readonly articleId: string
  readonly now: string
}

/** Queries on the redirects of articles. */
export const redirectQueries = {
  leave: defineQuery((db, is: NewRedirect) =>
    db
      .insertInto('article_redirects')
      .values(rowOf(is, 0))
      .onConflict((conflict) =>
        conflict
          .columns(['site_id', 'slug', 'language'])
          .doUpdateSet({ article_id: is.articleId, created_date: is.now, hits: 0, last_hit_date: null })
          .where('article_redirects.declared', '=', 0),
      ),
  ),
  declare: defineQuery((db, is: NewRedirect) =>
    db
      .insertInto('article_redirects')
      .values(rowOf(is, 1))
      .onConflict((conflict) =>
        conflict
          .columns(['site_id', 'slug', 'language'])
          .doUpdateSet({ article_id: is.articleId, declared: 1, created_date: is.now }),
      ),
  ),
  forget: defineQuery((db, is: SlugPlace & QueryArguments) =>
    db
      .deleteFrom('article_redirects')
      .where('site_id', '=', is.siteId)
      .where('slug', '=', is.slug)
      .where('language', '=', is.language)
      .where('declared', '=', 0),
  ),
  remove: defineQuery((db, is: SlugPlace & QueryArguments) =>
    db
      .deleteFrom('article_redirects')
      .where('site_id', '=', is.siteId)
      .where('slug', '=', is.slug)
      .where('language', '=', is.language),
  ),
  aliases: defineQuery((db, is: { articleId: string }) =>
    db
      .selectFrom('article_redirects')
      .select(['slug', 'language'])
      .where('article_id', '=', is.articleId)
      .where('declared', '=', 1),
  ),
  countHits: defineQuery((db, is: RedirectHit & QueryArguments & { siteId: string; now: string }) =>
    db
      .updateTable('article_redirects')
      .set((eb) => ({ hits: eb('hits', '+', is.hits), last_hit_date: is.now }))
      .where('site_id', '=', is.siteId)
      .where('slug', '=', is.slug)
      .where('language', '=', is.language),
  ),
  /** Without those whose slug a published article has. */
  page: defineQuery((db, is: RedirectPlace & QueryArguments & { siteId: string; limit: number }) =>
    db
      .selectFrom('article_redirects as redirect')
      .innerJoin('articles as a', 'a.id', 'redirect.article_id')
      .select([
        'redirect.slug',
        'redirect.language',
        'redirect.declared',
        'redirect.created_date',
        'redirect.hits',
        'redirect.last_hit_date',
        'a.id as articleId',
        'a.name as articleName',
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
              .selectFrom('articles as owner')
              .select('owner.id')
              .where('owner.status', '=', 'published')
              .whereRef('owner.site_id', '=', 'redirect.site_id')
              .whereRef('owner.language', '=', 'redirect.language')
              .whereRef('owner.slug', '=', 'redirect.slug'),
          ),
        ),
      )
      .orderBy('redirect.slug')
      .orderBy('redirect.language')
      .limit(is.limit),
  ),
}

function rowOf({ siteId, slug, language, articleId, now }: NewRedirect, declared: 0 | 1) {
  return { site_id: siteId, slug, language, article_id: articleId, declared, created_date: now }
}
