// Categories and tags. Only categories form a tree, in which names are unique among siblings.
import { defineQuery, type Database, type Session } from '../query.ts'
import { categoryQueries, newTaxonRow, taxonQueries, type TaxonTable } from '../taxon-queries.ts'
import { forgetSlug } from '../redirects.ts'
import { siteQueries } from '../site-queries.ts'
import type { UpdateOutcome } from '../records.ts'
import { changeCategory, changeTag } from '../update-taxon.ts'
import type { Edit } from './user-admin.ts'
import { itemExists, itemInUse, noSuchItem } from './refuse.ts'

interface TaxonText {
  readonly id: string
  readonly name: string
  readonly slug: string
  /** Language code, also for the default language. */
  readonly language: string
}

export interface TaxonOverview extends TaxonText {
  readonly description: string
  /** Number of articles that have it or one of its translations. */
  readonly articles: number
  readonly translations: readonly TaxonText[]
}

export interface CategoryOverview extends TaxonOverview {
  readonly parentId: string | null
  readonly priority: number
}

export interface NewTaxon {
  readonly name: string
  readonly slug: string
  readonly description: string
  /** The current time. */
  readonly now: string
}

export interface NewCategory extends NewTaxon {
  /** null for none. */
  readonly parentId: string | null
  readonly priority: number
}

export type TaxonEdit = Edit<Omit<NewTaxon, 'now'>> & Pick<NewTaxon, 'now'>
type CategoryEdit = Edit<Omit<NewCategory, 'now'>> & Pick<NewCategory, 'now'>

const NOUNS = { categories: 'category', tags: 'tag' } as const

/** The categories of a site. */
export function createCategoryAdmin(database: Database) {
  return {
    list: (siteId: string) => listCategories(database.reader, siteId),
    add: (siteId: string, category: NewCategory) =>
      database.write(siteId, (session) => addCategory(session, siteId, category)),
    update: (siteId: string, id: string, change: CategoryEdit) =>
      database.write(siteId, (session) => editCategory(session, siteId, id, change)),
    /** Removes it, with its translations, from all articles. */
    remove: (siteId: string, id: string) =>
      database.write(siteId, async (session) => {
        const categories = await listCategories(session, siteId)
        const children = categories.filter(({ parentId }) => parentId === id)
        if (children.length > 0) throw hasChildren(children)
        await remove(session, 'categories', siteId, id)
      }),
  }
}

/** The tags of a site. */
export function createTagAdmin(database: Database) {
  return {
    list: (siteId: string) => list(database.reader, 'tags', siteId),
    add: (siteId: string, tag: NewTaxon) =>
      database.write(siteId, async (session) => {
        assertNameFree('tags', tag.name, await list(session, 'tags', siteId))
        return insert(session, 'tags', siteId, tag)
      }),
    update: (siteId: string, id: string, change: TaxonEdit) =>
      database.write(siteId, (session) => editTag(session, siteId, id, change)),
    /** Removes it, with its translations, from all articles. */
    remove: (siteId: string, id: string) =>
      database.write(siteId, (session) => remove(session, 'tags', siteId, id)),
  }
}

async function listCategories(session: Session, siteId: string): Promise<CategoryOverview[]> {
  const places = new Map((await session.all(categoryPlaces, { siteId })).map((row) => [row.id, row]))
  return (await list(session, 'categories', siteId)).map((item) => ({
    ...item,
    parentId: places.get(item.id)?.parent_id ?? null,
    priority: places.get(item.id)?.order_by ?? 0,
  }))
}

async function addCategory(session: Session, siteId: string, item: NewCategory): Promise<string> {
  await assertParent(session, siteId, item.parentId)
  const siblings = (await listCategories(session, siteId)).filter(
    ({ parentId }) => parentId === item.parentId,
  )
  assertNameFree('categories', item.name, siblings)
  const id = await insert(session, 'categories', siteId, item)
  const place = { order_by: item.priority, parent_id: item.parentId, thumbnail_url: '', icon_url: '' }
  await session.run(categoryQueries.place, { id, ...place })
  return id
}

async function assertParent(session: Session, siteId: string, parentId: string | null): Promise<void> {
  if (parentId === null) return
  const parent = await session.first(categoryQueries.placeOf, { siteId, id: parentId })
  if (parent === undefined || parent.language_parent !== null) throw noSuchItem('parent category', parentId)
}

async function editCategory(session: Session, siteId: string, id: string, edit: CategoryEdit): Promise<void> {
  const { parentId, priority, ...change } = edit
  const items = await listCategories(session, siteId)
  const item = findIn(items, 'categories', id)
  const parent = parentId === undefined ? item.parentId : parentId
  const siblings = items.filter((each) => each.parentId === parent && each.id !== id)
  if (change.name !== undefined || parent !== item.parentId)
    assertNameFree('categories', change.name ?? item.name, siblings)
  const text = await editedText(session, siteId, item, change)
  const place = { parentId, priority: priority ?? item.priority, thumbnailUrl: undefined, iconUrl: undefined }
  const updated = await changeCategory(session, { siteId, id }, { ...text, ...place })
  assertUpdated(updated, 'categories', id, text.slug)
}

async function editTag(session: Session, siteId: string, id: string, change: TaxonEdit): Promise<void> {
  const items = await list(session, 'tags', siteId)
  const others = items.filter((each) => each.id !== id)
  if (change.name !== undefined) assertNameFree('tags', change.name, others)
  const text = await editedText(session, siteId, findIn(items, 'tags', id), change)
  assertUpdated(await changeTag(session, { siteId, id }, text), 'tags', id, text.slug)
}

async function editedText(session: Session, siteId: string, item: TaxonOverview, change: TaxonEdit) {
  return {
    name: change.name ?? item.name,
    slug: change.slug ?? item.slug,
    description: change.description,
    longDescription: undefined,
    language: await defaultLanguage(session, siteId),
    editedBy: null,
    now: change.now,
  }
}

async function defaultLanguage(session: Session, siteId: string): Promise<string> {
  return (await session.first(siteQueries.languages, { siteId }))?.code ?? ''
}

/** Lists originals, each with its translations. */
async function list(session: Session, table: TaxonTable, siteId: string): Promise<TaxonOverview[]> {
  const queries = taxonAdminQueries[table]
  const rows = await session.all(queries.all, { siteId })
  const counted = await session.all(queries.articleCounts, { siteId })
  const counts = new Map(counted.map(({ id, articles }) => [id, Number(articles)]))
  const ownLanguage = await defaultLanguage(session, siteId)
  const texts = rows.map(({ language_parent: original, description, ...row }) => ({
    original,
    description,
    text: { id: row.id, name: row.name, slug: row.slug, language: row.language || ownLanguage },
  }))
  return texts
    .filter(({ original }) => original === null)
    .map(({ text, description }) => ({
      ...text,
      description,
      articles: counts.get(text.id) ?? 0,
      translations: texts.filter(({ original }) => original === text.id).map((each) => each.text),
    }))
}

function findIn<Item extends TaxonOverview>(items: readonly Item[], table: TaxonTable, id: string): Item {
  const found = items.find((item) => item.id === id)
  if (found !== undefined) return found
  const slugs = items.map(({ slug }) => slug)
  throw noSuchItem(NOUNS[table], id, slugs)
}

/** Throws ITEM_EXISTS if one of `others` has the name, by which articles reference categories and tags. */
function assertNameFree(table: TaxonTable, name: string, others: readonly TaxonOverview[]): void {
  const other = others.find((item) => item.name.normalize('NFC') === name.normalize('NFC'))
  if (other === undefined) return
  const where = table === 'categories' ? 'with this parent' : 'in this site'
  throw itemExists(`There is already a ${NOUNS[table]} "${name}" ${where}, with the slug "${other.slug}".`)
}

async function insert(session: Session, table: TaxonTable, siteId: string, item: NewTaxon): Promise<string> {
  const present = await session.first(taxonQueries[table].bySlug, { siteId, language: '', slug: item.slug })
  if (present !== undefined) throw slugTaken(table, item.slug, present.name)
  const id = session.newId()
  await session.run(taxonQueries[table].insert, newTaxonRow({ siteId, id }, item))
  return id
}

async function remove(session: Session, table: TaxonTable, siteId: string, id: string): Promise<void> {
  const { translations, ...original } = findIn(await list(session, table, siteId), table, id)
  const ownLanguage = await defaultLanguage(session, siteId)
  for (const each of [original, ...translations]) {
    const language = each.language === ownLanguage ? '' : each.language
    await forgetSlug(session, NOUNS[table], { ...each, site_id: siteId, language })
  }
  // Otherwise the translations would remain as originals.
  await session.run(taxonAdminQueries[table].removeTranslations, { id })
  await session.run(taxonAdminQueries[table].remove, { id })
}

/** Converts a rejected update to an error. */
function assertUpdated(outcome: UpdateOutcome, table: TaxonTable, id: string, slug: string): void {
  if (outcome.kind === 'updated') return
  if (outcome.kind === 'slug-taken') throw slugTaken(table, slug, outcome.by)
  if (outcome.kind === 'own-ancestor') {
    throw itemInUse(
      'The parent of a category cannot be the category itself or one of its descendants.',
      'Choose another parent.',
    )
  }
  throw noSuchItem(outcome.kind === 'unknown-parent' ? 'parent category' : NOUNS[table], id)
}

function slugTaken(table: TaxonTable, slug: string, by: string) {
  return itemExists(`The slug "${slug}" is taken by the ${NOUNS[table]} "${by}".`)
}

function hasChildren(children: readonly CategoryOverview[]) {
  const names = children.map(({ name }) => `"${name}"`).join(', ')
  return itemInUse(
    `The category is the parent of ${names}.`,
    'Remove them first, or change their parent with kb admin categories update.',
  )
}

const categoryPlaces = defineQuery((db, is: { siteId: string }) =>
  db.selectFrom('categories').select(['id', 'parent_id', 'order_by']).where('site_id', '=', is.siteId),
)

const taxonAdminQueries = { categories: queriesOf('categories'), tags: queriesOf('tags') } as const

function queriesOf(table: TaxonTable) {
  // Both tables, and both relations, have the columns used here. The types treat them as one.
  const shared = table as 'tags'
  const [relation, item] = (
    table === 'categories' ? ['article_categories', 'category_id'] : ['article_tags', 'tag_id']
  ) as ['article_tags', 'tag_id']
  return {
    all: defineQuery((db, is: { siteId: string }) =>
      db
        .selectFrom(shared)
        .select(['id', 'name', 'slug', 'description', 'language', 'language_parent'])
        .where('site_id', '=', is.siteId)
        .orderBy('id'),
    ),
    /** Number of articles with an item, or with a translation of it, by the id of the original. */
    articleCounts: defineQuery((db, is: { siteId: string }) =>
      db
        .selectFrom(`${relation} as relation`)
        .innerJoin(`${shared} as item`, 'item.id', `relation.${item}`)
        .select((eb) => [
          eb.fn.coalesce('item.language_parent', 'item.id').as('id'),
          eb.fn.count('relation.article_id').distinct().as('articles'),
        ])
        .where('item.site_id', '=', is.siteId)
        .groupBy((eb) => eb.fn.coalesce('item.language_parent', 'item.id')),
    ),
    remove: defineQuery((db, is: { id: string }) => db.deleteFrom(shared).where('id', '=', is.id)),
    removeTranslations: defineQuery((db, is: { id: string }) =>
      db.deleteFrom(shared).where('language_parent', '=', is.id),
    ),
  }
}
