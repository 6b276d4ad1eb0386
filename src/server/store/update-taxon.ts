import { replaceFileUses } from './file-store.ts'
import type { ItemKey, Session } from './query.ts'
import { leaveRedirect } from './redirects.ts'
import { siteQueries } from './site-queries.ts'
import type { TaxonChange, UpdateOutcome, CategoryChange } from './records.ts'
import {
  newTaxonRow,
  taxonQueries,
  type TaxonRow,
  type TaxonTable,
  categoryQueries,
} from './taxon-queries.ts'

type SaveOutcome =
  | { readonly kind: 'saved'; readonly id: string; readonly longDescription: string }
  | Exclude<UpdateOutcome, { kind: 'updated' }>

/** Updates a tag, within a transaction of its caller. */
export async function changeTag(session: Session, key: ItemKey, change: TaxonChange): Promise<UpdateOutcome> {
  const updated = await updateTaxon(session, 'tags', key, change)
  if (updated.kind !== 'saved') return updated
  const user = { siteId: key.siteId, kind: 'tag', id: updated.id, now: change.now } as const
  if (change.longDescription !== undefined) await replaceFileUses(session, user, change.longDescription)
  return { kind: 'updated' }
}

/**
 * Updates the common fields of categories and tags. The default language means the original, another enabled language
 * its translation, which is created if it is missing. `key` may name either.
 */
async function updateTaxon(
  session: Session,
  table: TaxonTable,
  key: ItemKey,
  change: TaxonChange,
): Promise<SaveOutcome> {
  const { siteId } = key
  const queries = taxonQueries[table]
  const languages = (await session.all(siteQueries.languages, { siteId })).map(({ code }) => code)
  if (!languages.includes(change.language)) return { kind: 'unknown-language', languages }
  const named = await session.first(queries.byId, key)
  if (named === undefined) return { kind: 'unknown' }
  const language = change.language === languages[0] ? '' : change.language
  const present = await findTaxonIn(session, table, named, language)
  const beside = await session.first(queries.bySlug, { siteId, language, slug: change.slug })
  if (beside !== undefined && beside.id !== present?.id) return { kind: 'slug-taken', by: beside.name }
  const place = { language, language_parent: named.language_parent ?? named.id, created_by: change.editedBy }
  const row = present ? merge(present, change) : newTaxonRow({ siteId, id: session.newId() }, change, place)
  await session.run(present === undefined ? queries.insert : queries.update, row)
  const kind = table === 'categories' ? 'category' : 'tag'
  if (present !== undefined) await leaveRedirect(session, kind, present, row, change.now)
  return { kind: 'saved', id: row.id, longDescription: row.long_description }
}

/** Finds the translation of `named` in a language, as stored; undefined if there is none. */
export async function findTaxonIn(
  session: Session,
  table: TaxonTable,
  named: TaxonRow,
  language: string,
): Promise<TaxonRow | undefined> {
  if (named.language === language) return named
  const originalId = named.language_parent ?? named.id
  return language === ''
    ? session.first(taxonQueries[table].byId, { siteId: named.site_id, id: originalId })
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

type Ancestry =
  | { readonly kind: 'fine' }
  | { readonly kind: 'unknown-parent' }
  | { readonly kind: 'own-ancestor' }

/** Updates a category, within a transaction of its caller. */
export async function changeCategory(
  session: Session,
  key: ItemKey,
  change: CategoryChange,
): Promise<UpdateOutcome> {
  const { siteId } = key
  const row = await session.first(categoryQueries.placeOf, key)
  if (row === undefined) return { kind: 'unknown' }
  const ancestry = await checkAncestry(
    session,
    { siteId, id: row.language_parent ?? key.id },
    change.parentId ?? null,
  )
  if (ancestry.kind !== 'fine') return ancestry
  const updated = await updateTaxon(session, 'categories', key, change)
  if (updated.kind !== 'saved') return updated
  const place = await session.first(categoryQueries.placeOf, { siteId, id: updated.id })
  const images = {
    thumbnail_url: change.thumbnailUrl ?? place?.thumbnail_url ?? '',
    icon_url: change.iconUrl ?? place?.icon_url ?? '',
  }
  await session.run(categoryQueries.place, {
    id: updated.id,
    order_by: change.priority,
    parent_id: change.parentId === undefined ? (place?.parent_id ?? null) : change.parentId,
    ...images,
  })
  const user = { siteId, kind: 'category', id: updated.id, now: change.now } as const
  const { thumbnail_url, icon_url } = images
  await replaceFileUses(session, user, `${updated.longDescription} ${thumbnail_url} ${icon_url}`)
  return { kind: 'updated' }
}

async function checkAncestry(session: Session, key: ItemKey, parentId: string | null): Promise<Ancestry> {
  const { siteId, id } = key
  let ancestorId = parentId
  while (ancestorId !== null) {
    if (ancestorId === id) return { kind: 'own-ancestor' }
    const ancestor: { parent_id: string | null; language_parent: string | null } | undefined =
      await session.first(categoryQueries.placeOf, { siteId, id: ancestorId })
    if (ancestor === undefined || ancestor.language_parent !== null) return { kind: 'unknown-parent' }
    ancestorId = ancestor.parent_id
  }
  return { kind: 'fine' }
}
