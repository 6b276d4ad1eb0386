import type { Kysely } from 'kysely'
import type { Database } from '../session.ts'
import type { Tables } from '../tables.ts'
import { createTagStore } from '../tag-store.ts'
import type { TagAdmin, TaxonEdit } from './admin-store.ts'
import { assertUpdated, createTaxonAdministration } from './taxon-admin.ts'

/** The tags of a site. */
export function createTagAdmin(database: Database, db: Kysely<Tables>): TagAdmin {
  const taxa = createTaxonAdministration(db, 'tags')
  const { updateTag } = createTagStore(database, db)

  async function update(siteId: string, id: string, change: TaxonEdit): Promise<void> {
    const item = await taxa.find(database.reader, siteId, id)
    const { name = item.name, slug = item.slug, description, now } = change
    const language = await taxa.defaultLanguage(database.reader, siteId)
    const text = { name, slug, description, longDescription: undefined }
    const outcome = await updateTag(siteId, id, { ...text, language, editedBy: null, now })
    assertUpdated(outcome, 'tag', id, slug)
  }

  return {
    list: (siteId) => taxa.list(database.reader, siteId),
    add: (siteId, item) => database.write((session) => taxa.insert(session, siteId, item)),
    update,
    remove: (siteId, id) => database.write((session) => taxa.remove(session, siteId, id)),
  }
}
