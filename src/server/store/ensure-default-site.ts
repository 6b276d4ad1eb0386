import { countItems, describeItems, type ItemCounts } from './admin/count-items.ts'
import { itemInUse } from './admin/refuse.ts'
import type { Session } from './query.ts'
import { siteQueries } from './site-queries.ts'

/** Name of the site that the server creates on start. */
export const DEFAULT_SITE = 'default'

/**
 * Returns the id of the default site, which is created if it is missing. The given languages come first, and the first
 * of them is the default; others that are enabled stay after them. Writes only differences, so that a start does not
 * count as a change.
 *
 * @throws KbError ITEM_IN_USE if another default language would change the meaning of stored items
 */
export async function ensureDefaultSite(
  session: Session,
  { languages, now }: { readonly languages: readonly string[]; readonly now: string },
): Promise<string> {
  const known = await session.first(siteQueries.siteByName, { name: DEFAULT_SITE })
  const siteId = known?.id ?? session.newId()
  if (known === undefined) await session.run(siteQueries.insertSite, { id: siteId, name: DEFAULT_SITE, now })
  const present = (await session.all(siteQueries.languages, { siteId })).map(({ code }) => code)
  const wanted = mergeLanguages(present, languages)
  if (present.join() === wanted.join()) return siteId
  await assertDefaultFits(session, siteId, present[0], wanted)
  await session.run(siteQueries.removeLanguages, { siteId })
  for (const [position, code] of wanted.entries())
    await session.run(siteQueries.insertLanguage, { siteId, code, position })
  return siteId
}

/** Rejects another default language if any items are stored in the current one, which they do not name. */
async function assertDefaultFits(
  session: Session,
  siteId: string,
  before: string | undefined,
  wanted: readonly string[],
): Promise<void> {
  const after = wanted[0] ?? ''
  if (before === undefined || before === after) return
  const translated = await countItems(session, siteId, after)
  if (hasItems(translated)) throw defaultIsUsed(before, after, translated, `stored as "${after}"`)
  const originals = await countItems(session, siteId, '')
  if (wanted.includes(before) && hasItems(originals))
    throw defaultIsUsed(before, after, originals, `stored as "${before}", which stays enabled`)
}

/** Merges the languages. A former default language is removed, because no item can be stored with its code. */
function mergeLanguages(present: readonly string[], wanted: readonly string[]): string[] {
  const [before, ...others] = present
  const kept = before === wanted[0] ? present : others
  return [...new Set([...wanted, ...kept])]
}

function hasItems({ articles, categories, tags }: ItemCounts): boolean {
  return articles + categories + tags > 0
}

function defaultIsUsed(before: string, after: string, items: ItemCounts, how: string) {
  return itemInUse(
    `The default language cannot change from "${before}" to "${after}": ${describeItems(items)} ${how}.`,
    `Set the default language back to "${before}" in the configuration, or remove these items first.`,
  )
}
