import type { Kysely } from 'kysely'
import type { Database, Session } from './session.ts'
import type { Store, TagRecord, TaxonChange, UpdateOutcome } from './store.ts'
import type { Tables } from './tables.ts'
import { taxonQueries } from './taxon-queries.ts'
import { updateTaxon } from './update-taxon.ts'

type TagStore = Pick<Store, 'readTag' | 'updateTag'>

/** Reading and updating tags. */
export function createTagStore(database: Database, db: Kysely<Tables>): TagStore {
  const queries = taxonQueries(db, 'tags')

  async function readTag(siteId: string, id: string): Promise<TagRecord | undefined> {
    const row = await database.reader.first(queries.byId, { siteId, id })
    if (row === undefined) return undefined
    return {
      id: row.id,
      name: row.name,
      slug: row.slug,
      description: row.description,
      longDescription: row.long_description,
      language: row.language === '' ? null : row.language,
      languageParent: row.language_parent,
    }
  }

  async function update(
    session: Session,
    siteId: string,
    id: string,
    change: TaxonChange,
  ): Promise<UpdateOutcome> {
    const saved = await updateTaxon(session, queries, siteId, id, change)
    return saved.kind === 'saved' ? { kind: 'updated' } : saved
  }

  return {
    readTag,
    updateTag: (siteId, id, change) => database.write((session) => update(session, siteId, id, change)),
  }
}
