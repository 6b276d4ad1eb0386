import type { Kysely } from 'kysely'
import { categoryQueries } from '../category-queries.ts'
import type { Database, Session } from '../session.ts'
import type { Tables } from '../tables.ts'
import { createCategoryUpdate } from '../update-category.ts'
import type { CategoryAdmin, CategoryEdit, CategoryOverview, NewCategory } from './admin-store.ts'
import { itemInUse, noSuchItem } from './refuse.ts'
import { assertUpdated, createTaxonAdministration } from './taxon-admin.ts'
import { categoryPlaces } from './taxon-admin-queries.ts'

/** The categories of a site. */
export function createCategoryAdmin(database: Database, db: Kysely<Tables>): CategoryAdmin {
  const taxa = createTaxonAdministration(db, 'categories')
  const updateCategory = createCategoryUpdate(db)
  const queries = { ...categoryQueries(db), places: categoryPlaces(db) }

  async function list(session: Session, siteId: string): Promise<CategoryOverview[]> {
    const places = new Map((await session.all(queries.places, { siteId })).map((row) => [row.id, row]))
    return (await taxa.list(session, siteId)).map((item) => ({
      ...item,
      parentId: places.get(item.id)?.parent_id ?? null,
      priority: places.get(item.id)?.order_by ?? 0,
    }))
  }

  async function assertParent(session: Session, siteId: string, parentId: string | null): Promise<void> {
    if (parentId === null) return
    const parent = await session.first(queries.placeOf, { siteId, id: parentId })
    if (parent === undefined || parent.language_parent !== null) {
      throw noSuchItem('parent category', parentId, [])
    }
  }

  async function add(session: Session, siteId: string, item: NewCategory): Promise<string> {
    await assertParent(session, siteId, item.parentId)
    const siblings = (await list(session, siteId)).filter(({ parentId }) => parentId === item.parentId)
    taxa.assertNameFree(item.name, siblings)
    const id = await taxa.insert(session, siteId, item)
    const place = { order_by: item.priority, parent_id: item.parentId, thumbnail_url: '', icon_url: '' }
    await session.run(queries.place, { id, ...place })
    return id
  }

  async function update(session: Session, siteId: string, id: string, change: CategoryEdit): Promise<void> {
    const items = await list(session, siteId)
    const item = items.find((each) => each.id === id)
    if (item === undefined) throw noSuchItem('category', id, [])
    const {
      name = item.name,
      slug = item.slug,
      priority = item.priority,
      description,
      parentId,
      now,
    } = change
    const parent = parentId === undefined ? item.parentId : parentId || null
    if (name !== item.name || parent !== item.parentId) {
      const siblings = items.filter((each) => each.parentId === parent && each.id !== id)
      taxa.assertNameFree(name, siblings)
    }
    const language = await taxa.defaultLanguage(session, siteId)
    const outcome = await updateCategory(session, siteId, id, {
      name,
      slug,
      priority,
      description,
      parentId,
      language,
      longDescription: undefined,
      thumbnailUrl: undefined,
      iconUrl: undefined,
      editedBy: null,
      now,
    })
    assertUpdated(outcome, 'category', id, slug)
  }

  return {
    list: (siteId) => list(database.reader, siteId),
    add: (siteId, item) => database.write((session) => add(session, siteId, item)),
    update: (siteId, id, change) => database.write((session) => update(session, siteId, id, change)),
    remove: (siteId, id) =>
      database.write(async (session) => {
        const children = (await list(session, siteId)).filter(({ parentId }) => parentId === id)
        if (children.length > 0) throw hasChildren(children)
        await taxa.remove(session, siteId, id)
      }),
  }
}

function hasChildren(children: readonly CategoryOverview[]) {
  const names = children.map(({ name }) => `"${name}"`).join(', ')
  return itemInUse(
    `The category is the parent of ${names}.`,
    'Remove these first, or give them another parent with kb admin categories update.',
  )
}
