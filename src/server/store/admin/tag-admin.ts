import type { Kysely } from 'kysely'
import type { Database, Session } from '../session.ts'
import { siteQueries } from '../site-queries.ts'
import type { Tables } from '../tables.ts'
import { taxonQueries } from '../taxon-queries.ts'
import { toUpdateOutcome, updateTaxon } from '../update-taxon.ts'
import type { NewTaxon, TagAdmin, TaxonEdit } from './admin-store.ts'
import { assertUpdated, createTaxonAdministration } from './taxon-admin.ts'

/** The tags of a site. */
export function createTagAdmin(database: Database, db: Kysely<Tables>): TagAdmin {
  const taxa = createTaxonAdministration(db, 'tags')
  const queries = { ...taxonQueries(db, 'tags'), languages: siteQueries(db).languages }

  async function add(session: Session, siteId: string, tag: NewTaxon): Promise<string> {
    taxa.assertNameFree(tag.name, await taxa.list(session, siteId))
    return taxa.insert(session, siteId, tag)
  }

  async function update(session: Session, siteId: string, id: string, change: TaxonEdit): Promise<void> {
    const item = await taxa.find(session, siteId, id)
    const { name = item.name, slug = item.slug, description, now } = change
    if (name !== item.name) {
      const others = (await taxa.list(session, siteId)).filter((each) => each.id !== id)
      taxa.assertNameFree(name, others)
    }
    const language = await taxa.defaultLanguage(session, siteId)
    const text = { name, slug, description, longDescription: undefined }
    const saved = await updateTaxon(session, queries, siteId, id, { ...text, language, editedBy: null, now })
    assertUpdated(toUpdateOutcome(saved), 'tag', id, slug)
  }

  return {
    list: (siteId) => taxa.list(database.reader, siteId),
    add: (siteId, tag) => database.write((session) => add(session, siteId, tag)),
    update: (siteId, id, change) => database.write((session) => update(session, siteId, id, change)),
    remove: (siteId, id) => database.write((session) => taxa.remove(session, siteId, id)),
  }
}
