// The categories, tags and links of an article. An update keeps the rows that stay the same, and so the ids and dates
// of relations and links.
import type { Selectable } from 'kysely'
import { pickColumns, defineQuery, type Session } from './query.ts'
import type { ContentLink } from './store.ts'
import type { Tables } from './tables.ts'

/** Maximum number of links in one statement. */
const LINKS_PER_INSERT = 16

interface Owner {
  readonly siteId: string
  readonly articleId: string
  readonly now: string
}

/** The relations of an article; an undefined list is not changed. */
interface ArticleRelations {
  readonly categoryIds: readonly string[]
  readonly tagIds: readonly string[] | undefined
  readonly links: readonly ContentLink[]
}

/** Adds relations to an article without any. */
export async function addRelations(session: Session, owner: Owner, wanted: ArticleRelations): Promise<void> {
  const shared = { site_id: owner.siteId, article_id: owner.articleId }
  for (const category_id of new Set(wanted.categoryIds)) {
    await session.run(relationQueries.addCategory, {
      id: session.newId(),
      ...shared,
      category_id,
      added_date: owner.now,
    })
  }
  for (const tag_id of new Set(wanted.tagIds)) {
    await session.run(relationQueries.addTag, { id: session.newId(), ...shared, tag_id })
  }
  await addLinks(session, owner, wanted.links)
}

async function addLinks(session: Session, owner: Owner, links: readonly ContentLink[]): Promise<void> {
  for (let start = 0; start < links.length; start += LINKS_PER_INSERT) {
    const some = links.slice(start, start + LINKS_PER_INSERT)
    const query = relationQueries.addLinks[some.length - 1]
    const named: Record<string, string> = {}
    for (const [index, { url, target }] of some.entries()) {
      named[`id${index}`] = session.newId()
      named[`url${index}`] = url
      named[`target${index}`] = target
    }
    if (query !== undefined) await session.run(query, { ...named, ...owner })
  }
}

/** Replaces relations: adds the missing ones, removes the others. */
export async function replaceRelations(
  session: Session,
  owner: Owner,
  wanted: ArticleRelations,
): Promise<void> {
  const { articleId } = owner
  const categories = await session.all(relationQueries.categories, { articleId })
  const tags = await session.all(relationQueries.tags, { articleId })
  const links = await session.all(relationQueries.links, { articleId })
  const targets = new Map(wanted.links.map(({ url, target }) => [url, target]))
  const unwanted = {
    removeCategory: categories.filter(({ itemId }) => !wanted.categoryIds.includes(itemId)),
    removeTag: tags.filter(({ itemId }) => wanted.tagIds?.includes(itemId) === false),
    removeLink: links.filter(({ url }) => !targets.has(url)),
  }
  for (const [remove, rows] of Object.entries(unwanted) as [keyof typeof unwanted, { id: string }[]][]) {
    for (const { id } of rows) await session.run(relationQueries[remove], { id })
  }
  for (const { id, url, target } of links) {
    const wantedTarget = targets.get(url)
    if (wantedTarget !== undefined && wantedTarget !== target) {
      await session.run(relationQueries.retarget, { id, target: wantedTarget })
    }
  }
  const present = new Set(links.map(({ url }) => url))
  await addRelations(session, owner, {
    categoryIds: without(wanted.categoryIds, categories),
    tagIds: without(wanted.tagIds ?? [], tags),
    links: wanted.links.filter(({ url }) => !present.has(url)),
  })
}

function without(ids: readonly string[], present: readonly { readonly itemId: string }[]): string[] {
  return ids.filter((id) => !present.some(({ itemId }) => itemId === id))
}

const relationQueries = {
  categories: defineQuery((db, is: { articleId: string }) =>
    db
      .selectFrom('article_categories')
      .select(['id', 'category_id as itemId'])
      .where('article_id', '=', is.articleId),
  ),
  tags: defineQuery((db, is: { articleId: string }) =>
    db.selectFrom('article_tags').select(['id', 'tag_id as itemId']).where('article_id', '=', is.articleId),
  ),
  links: defineQuery((db, is: { articleId: string }) =>
    db.selectFrom('links').select(['id', 'url', 'target']).where('article_id', '=', is.articleId),
  ),
  addCategory: defineQuery((db, row: Selectable<Tables['article_categories']>) =>
    db
      .insertInto('article_categories')
      .values(pickColumns(row, ['id', 'site_id', 'article_id', 'category_id', 'added_date'])),
  ),
  addTag: defineQuery((db, row: Selectable<Tables['article_tags']>) =>
    db.insertInto('article_tags').values(pickColumns(row, ['id', 'site_id', 'article_id', 'tag_id'])),
  ),
  addLinks: Array.from({ length: LINKS_PER_INSERT }, (_, index) => insertLinks(index + 1)),
  removeCategory: defineQuery((db, is: { id: string }) =>
    db.deleteFrom('article_categories').where('id', '=', is.id),
  ),
  removeTag: defineQuery((db, is: { id: string }) => db.deleteFrom('article_tags').where('id', '=', is.id)),
  removeLink: defineQuery((db, is: { id: string }) => db.deleteFrom('links').where('id', '=', is.id)),
  retarget: defineQuery((db, is: { id: string; target: string }) =>
    db.updateTable('links').set({ target: is.target }).where('id', '=', is.id),
  ),
}

/** Arguments besides the owner: `id0`, `url0`, `target0`, `id1` and so on. */
type LinkArguments = Owner & Readonly<Record<string, string>>

function insertLinks(count: number) {
  return defineQuery((db, is: LinkArguments) =>
    db
      .insertInto('links')
      .values(
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
