import type { Session } from './session.ts'
import { siteQueries } from './site-queries.ts'
import type { TaxonChange, UpdateOutcome } from './store.ts'
import { taxonQueries, type TaxonRow, type TaxonTable } from './taxon-queries.ts'

type SaveOutcome =
  | { readonly kind: 'saved'; readonly id: string }
  | Exclude<UpdateOutcome, { kind: 'updated' }>

/**
 * Saves what categories and tags share. The default language names the original; another enabled language names its
 * translation, which is made where there is none, whichever of them `id` belongs to.
 */
export async function updateTaxon(
  session: Session,
  table: TaxonTable,
  siteId: string,
  id: string,
  change: TaxonChange,
): Promise<SaveOutcome> {
  const queries = taxonQueries[table]
  const languages = (await session.all(siteQueries.languages, { siteId })).map(({ code }) => code)
  if (!languages.includes(change.language)) return { kind: 'unknown-language', languages }
  const named = await session.first(queries.byId, { siteId, id })
  if (named === undefined) return { kind: 'unknown' }
  const language = change.language === languages[0] ? '' : change.language
  const present = await findTaxonIn(session, table, siteId, named, language)
  const beside = await session.first(queries.bySlug, { siteId, language, slug: change.slug })
  if (beside !== undefined && beside.id !== present?.id) return { kind: 'slug-taken', by: beside.name }
  const row = merge(present ?? blankTranslation(session.newId(), named, language, change), change)
  await session.run(present === undefined ? queries.insert : queries.update, row)
  return { kind: 'saved', id: row.id }
}

/** What the caller of an update is told: whose row was saved is a matter of the store. */
export function toUpdateOutcome(outcome: SaveOutcome): UpdateOutcome {
  return outcome.kind === 'saved' ? { kind: 'updated' } : outcome
}

/** The member of `named`'s family in a language, as the tables write it; undefined where there is none. */
export async function findTaxonIn(
  session: Session,
  table: TaxonTable,
  siteId: string,
  named: TaxonRow,
  language: string,
): Promise<TaxonRow | undefined> {
  if (named.language === language) return named
  const originalId = named.language_parent ?? named.id
  return language === ''
    ? session.first(taxonQueries[table].byId, { siteId, id: originalId })
    : session.first(taxonQueries[table].translation, { originalId, language })
}

function merge(row: TaxonRow, change: TaxonChange): TaxonRow {
  return {
    ...row,
    name: change.name,
    slug: change.slug,
    description: change.description ?? row.description,
    long_description: change.longDescription ?? row.long_description,
    last_edited_date: change.now,
  }
}

function blankTranslation(id: string, named: TaxonRow, language: string, change: TaxonChange): TaxonRow {
  return {
    id,
    site_id: named.site_id,
    name: '',
    slug: '',
    description: '',
    long_description: '',
    language,
    language_parent: named.language_parent ?? named.id,
    created_by: change.editedBy,
    created_date: change.now,
    last_edited_date: change.now,
  }
}
