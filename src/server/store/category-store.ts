import type { Kysely } from 'kysely'
import { categoryQueries } from './category-queries.ts'
import { creatorOf } from './creator-of.ts'
import type { Database, Session } from './session.ts'
import type { CategoryChange, CategoryRecord, Page, Store, UpdateOutcome } from './store.ts'
import type { Tables } from './tables.ts'
import { updateTaxon } from './update-taxon.ts'
import { taxonQueries } from './taxon-queries.ts'

type CategoryStore = Pick<Store, 'listCategories' | 'updateCategory'>
type Ancestry =
  | { readonly kind: 'fine' }
  | { readonly kind: 'unknown-parent' }
  | { readonly kind: 'own-ancestor' }

/** Listing and updating categories. */
export function createCategoryStore(database: Database, db: Kysely<Tables>): CategoryStore {
  const shared = taxonQueries(db, 'categories')
  const queries = categoryQueries(db)

  async function listCategories(siteId: string, page: Page): Promise<CategoryRecord[]> {
    const rows = await database.reader.all(queries.page, { siteId, ...page })
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) return []
    const translations = await database.reader.all(queries.translations, {
      siteId,
      from: first.id,
      to: last.id,
    })
    const languages = new Map<string | null, string[]>(rows.map(({ id }) => [id, []]))
    for (const { originalId, language } of translations) languages.get(originalId)?.push(language)
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      order: row.order_by,
      parentName: row.parentName ?? '',
      translations: languages.get(row.id) ?? [],
      latest:
        row.latestId === null || row.latestDate === null
          ? undefined
          : { id: row.latestId, addedDate: row.latestDate },
      creator: creatorOf(row),
    }))
  }

  async function update(
    session: Session,
    siteId: string,
    id: string,
    change: CategoryChange,
  ): Promise<UpdateOutcome> {
    const row = await session.first(queries.placeOf, { siteId, id })
    if (row === undefined) return { kind: 'unknown' }
    const ancestry = await checkAncestry(session, siteId, row.language_parent ?? id, change.parentId ?? '')
    if (ancestry.kind !== 'fine') return ancestry
    const updated = await updateTaxon(session, shared, siteId, id, change)
    if (updated.kind !== 'saved') return updated
    const place = await session.first(queries.placeOf, { siteId, id: updated.id })
    await session.run(queries.place, {
      id: updated.id,
      order_by: change.priority,
      parent_id: change.parentId === undefined ? (place?.parent_id ?? null) : change.parentId || null,
      thumbnail_url: change.thumbnailUrl ?? place?.thumbnail_url ?? '',
      icon_url: change.iconUrl ?? place?.icon_url ?? '',
    })
    return { kind: 'updated' }
  }

  async function checkAncestry(
    session: Session,
    siteId: string,
    id: string,
    parentId: string,
  ): Promise<Ancestry> {
    let ancestorId: string | null = parentId
    while (ancestorId !== null && ancestorId !== '') {
      if (ancestorId === id) return { kind: 'own-ancestor' }
      const ancestor: { parent_id: string | null; language_parent: string | null } | undefined =
        await session.first(queries.placeOf, { siteId, id: ancestorId })
      if (ancestor === undefined || ancestor.language_parent !== null) return { kind: 'unknown-parent' }
      ancestorId = ancestor.parent_id
    }
    return { kind: 'fine' }
  }

  return {
    listCategories,
    updateCategory: (siteId, id, change) => database.write((session) => update(session, siteId, id, change)),
  }
}
