import { categoryQueries } from './category-queries.ts'
import type { Session } from './session.ts'
import type { CategoryChange, UpdateOutcome } from './store.ts'
import { updateTaxon } from './update-taxon.ts'

type Ancestry =
  | { readonly kind: 'fine' }
  | { readonly kind: 'unknown-parent' }
  | { readonly kind: 'own-ancestor' }

/** Updates a category, inside a transaction of its caller. */
export async function changeCategory(
  session: Session,
  siteId: string,
  id: string,
  change: CategoryChange,
): Promise<UpdateOutcome> {
  const row = await session.first(categoryQueries.placeOf, { siteId, id })
  if (row === undefined) return { kind: 'unknown' }
  const ancestry = await checkAncestry(session, siteId, row.language_parent ?? id, change.parentId ?? null)
  if (ancestry.kind !== 'fine') return ancestry
  const updated = await updateTaxon(session, 'categories', siteId, id, change)
  if (updated.kind !== 'saved') return updated
  const place = await session.first(categoryQueries.placeOf, { siteId, id: updated.id })
  await session.run(categoryQueries.place, {
    id: updated.id,
    order_by: change.priority,
    parent_id: change.parentId === undefined ? (place?.parent_id ?? null) : change.parentId,
    thumbnail_url: change.thumbnailUrl ?? place?.thumbnail_url ?? '',
    icon_url: change.iconUrl ?? place?.icon_url ?? '',
  })
  return { kind: 'updated' }
}

async function checkAncestry(
  session: Session,
  siteId: string,
  id: string,
  parentId: string | null,
): Promise<Ancestry> {
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
