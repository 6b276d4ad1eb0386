import type { Kysely } from 'kysely'
import { categoryQueries } from './category-queries.ts'
import { creatorOf } from './creator-of.ts'
import type { Database } from './session.ts'
import type { CategoryRecord, Page, Store } from './store.ts'
import type { Tables } from './tables.ts'
import { createCategoryUpdate } from './update-category.ts'

type CategoryStore = Pick<Store, 'listCategories' | 'updateCategory'>

/** Listing and updating categories. */
export function createCategoryStore(database: Database, db: Kysely<Tables>): CategoryStore {
  const updateCategory = createCategoryUpdate(db)
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

  return {
    listCategories,
    updateCategory: (siteId, id, change) =>
      database.write((session) => updateCategory(session, siteId, id, change)),
  }
}
