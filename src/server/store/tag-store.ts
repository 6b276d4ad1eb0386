import type { Kysely } from 'kysely'
import type { Database } from './session.ts'
import { siteQueries } from './site-queries.ts'
import type { ReadOutcome, Store, TagRecord } from './store.ts'
import type { Tables } from './tables.ts'
import { type TaxonRow, taxonQueries } from './taxon-queries.ts'
import { findTaxonIn, toUpdateOutcome, updateTaxon } from './update-taxon.ts'

type TagStore = Pick<Store, 'readTag' | 'updateTag'>

/** Reading and updating tags. */
export function createTagStore(database: Database, db: Kysely<Tables>): TagStore {
  const { languages } = siteQueries(db)
  const queries = { ...taxonQueries(db, 'tags'), languages }

  async function readTag(siteId: string, id: string, code?: string): Promise<ReadOutcome<TagRecord>> {
    const { reader } = database
    const row = await reader.first(queries.byId, { siteId, id })
    if (row === undefined) return { kind: 'unknown' }
    if (code === undefined) return { kind: 'found', record: toRecord(row), isCopy: false }
    const codes = (await reader.all(languages, { siteId })).map((each) => each.code)
    if (!codes.includes(code)) return { kind: 'unknown-language', languages: codes }
    const language = code === codes[0] ? '' : code
    const present = await findTaxonIn(reader, queries, siteId, row, language)
    if (present !== undefined) return { kind: 'found', record: toRecord(present), isCopy: false }
    const originalId = row.language_parent ?? row.id
    const original = (await reader.first(queries.byId, { siteId, id: originalId })) ?? row
    const copy = { ...original, language, language_parent: originalId }
    return { kind: 'found', record: toRecord(copy), isCopy: true }
  }

  return {
    readTag,
    updateTag: (siteId, id, change) =>
      database.write(async (session) =>
        toUpdateOutcome(await updateTaxon(session, queries, siteId, id, change)),
      ),
  }
}

function toRecord(row: TaxonRow): TagRecord {
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
