// What hangs on an article: its categories, its tags and the links in its HTML. An update leaves alone what stays, so
// that the ids and dates of relations and links live on.
import type { Kysely, Selectable } from 'kysely'
import { prepareQuery } from './prepared-query.ts'
import type { Session } from './session.ts'
import type { ContentLink } from './store.ts'
import type { Tables } from './tables.ts'

/** Most links that one statement takes. */
const LINKS_PER_INSERT = 16

interface Owner {
  readonly siteId: string
  readonly articleId: string
  readonly now: string
}

/** What an article is to hang on; an undefined list stays as it is. */
export interface ArticleRelations {
  readonly categoryIds: readonly string[]
  readonly tagIds: readonly string[] | undefined
  readonly links: readonly ContentLink[]
}

export interface RelationWriter {
  /** For an article that has none yet. */
  add(session: Session, owner: Owner, relations: ArticleRelations): Promise<void>
  /** For one that may have some: what is missing comes, what is not wanted goes. */
  replace(session: Session, owner: Owner, relations: ArticleRelations): Promise<void>
}

export function createRelationWriter(db: Kysely<Tables>): RelationWriter {
  const queries = relationQueries(db)

  async function add(session: Session, owner: Owner, wanted: ArticleRelations): Promise<void> {
    const shared = { site_id: owner.siteId, article_id: owner.articleId }
    for (const category_id of new Set(wanted.categoryIds)) {
      await session.run(queries.addCategory, {
        id: session.newId(),
        ...shared,
        category_id,
        added_date: owner.now,
      })
    }
    for (const tag_id of new Set(wanted.tagIds)) {
      await session.run(queries.addTag, { id: session.newId(), ...shared, tag_id })
    }
    await addLinks(session, owner, wanted.links)
  }

  async function addLinks(session: Session, owner: Owner, links: readonly ContentLink[]): Promise<void> {
    for (let start = 0; start < links.length; start += LINKS_PER_INSERT) {
      const some = links.slice(start, start + LINKS_PER_INSERT)
      const query = queries.addLinks[some.length - 1]
      const named: Record<string, string> = {}
      for (const [index, { url, target }] of some.entries()) {
        named[`id${index}`] = session.newId()
        named[`url${index}`] = url
        named[`target${index}`] = target
      }
      if (query !== undefined) await session.run(query, { ...named, ...owner })
    }
  }

  async function replace(session: Session, owner: Owner, wanted: ArticleRelations): Promise<void> {
    const { articleId } = owner
    const categories = await session.all(queries.categories, { articleId })
    const tags = await session.all(queries.tags, { articleId })
    const links = await session.all(queries.links, { articleId })
    const targets = new Map(wanted.links.map(({ url, target }) => [url, target]))
    const unwanted = {
      removeCategory: categories.filter(({ itemId }) => !wanted.categoryIds.includes(itemId)),
      removeTag: tags.filter(({ itemId }) => wanted.tagIds?.includes(itemId) === false),
      removeLink: links.filter(({ url }) => !targets.has(url)),
    }
    for (const [remove, rows] of Object.entries(unwanted) as [keyof typeof unwanted, { id: string }[]][]) {
      for (const { id } of rows) await session.run(queries[remove], { id })
    }
    for (const { id, url, target } of links) {
      const wantedTarget = targets.get(url)
      if (wantedTarget !== undefined && wantedTarget !== target) {
        await session.run(queries.retarget, { id, target: wantedTarget })
      }
    }
    const present = new Set(links.map(({ url }) => url))
    await add(session, owner, {
      categoryIds: without(wanted.categoryIds, categories),
      tagIds: without(wanted.tagIds ?? [], tags),
      links: wanted.links.filter(({ url }) => !present.has(url)),
    })
  }

  return { add, replace }
}

function without(ids: readonly string[], present: readonly { readonly itemId: string }[]): string[] {
  return ids.filter((id) => !present.some(({ itemId }) => itemId === id))
}

function relationQueries(db: Kysely<Tables>) {
  return {
    categories: prepareQuery((is: { articleId: string }) =>
      db
        .selectFrom('article_categories')
        .select(['id', 'category_id as itemId'])
        .where('article_id', '=', is.articleId),
    ),
    tags: prepareQuery((is: { articleId: string }) =>
      db.selectFrom('article_tags').select(['id', 'tag_id as itemId']).where('article_id', '=', is.articleId),
    ),
    links: prepareQuery((is: { articleId: string }) =>
      db.selectFrom('links').select(['id', 'url', 'target']).where('article_id', '=', is.articleId),
    ),
    addCategory: prepareQuery((row: Selectable<Tables['article_categories']>) =>
      db.insertInto('article_categories').values({
        id: row.id,
        site_id: row.site_id,
        article_id: row.article_id,
        category_id: row.category_id,
        added_date: row.added_date,
      }),
    ),
    addTag: prepareQuery((row: Selectable<Tables['article_tags']>) =>
      db
        .insertInto('article_tags')
        .values({ id: row.id, site_id: row.site_id, article_id: row.article_id, tag_id: row.tag_id }),
    ),
    addLinks: Array.from({ length: LINKS_PER_INSERT }, (_, index) => insertLinks(db, index + 1)),
    removeCategory: prepareQuery((is: { id: string }) =>
      db.deleteFrom('article_categories').where('id', '=', is.id),
    ),
    removeTag: prepareQuery((is: { id: string }) => db.deleteFrom('article_tags').where('id', '=', is.id)),
    removeLink: prepareQuery((is: { id: string }) => db.deleteFrom('links').where('id', '=', is.id)),
    retarget: prepareQuery((is: { id: string; target: string }) =>
      db.updateTable('links').set({ target: is.target }).where('id', '=', is.id),
    ),
  }
}

/** Arguments beside the owner: `id0`, `url0`, `target0`, `id1` and so on. */
type LinkArguments = Owner & Readonly<Record<string, string>>

function insertLinks(db: Kysely<Tables>, count: number) {
  return prepareQuery((is: LinkArguments) =>
    db.insertInto('links').values(
      Array.from({ length: count }, (_, index) => ({
        id: is[`id${index}`] as string,
        site_id: is.siteId,
        article_id: is.articleId,
        url: is[`url${index}`] as string,
        target: is[`target${index}`] as string,
        created_date: is.now,
      })),
    ),
  )
}
