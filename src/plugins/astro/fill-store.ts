import type { LoaderContext, StoredEntry } from './astro-types.ts'
import type { CollectionEntry } from './entries.ts'

// Astro keeps entries from one run to the next: what they are made of has to change this when it changes itself.
const FORM = 1

/**
 * Makes a collection what is wanted. An entry that is as it was is neither rendered nor written again.
 *
 * @throws an error of Astro where the data do not fit a schema that the site has given
 */
export async function fillStore(
  { store, generateDigest, parseData }: Pick<LoaderContext, 'store' | 'generateDigest' | 'parseData'>,
  wanted: readonly CollectionEntry[],
): Promise<void> {
  const ids = new Set(wanted.map(({ id }) => id))
  for (const id of store.keys()) if (!ids.has(id)) store.delete(id)
  for (const entry of wanted) {
    const { id, data, bodyDigest, filePath } = entry
    const digest = generateDigest({ form: FORM, data, bodyDigest, filePath })
    // oxlint-disable-next-line no-await-in-loop -- one text at a time in memory beside those that are stored
    if (store.get(id)?.digest !== digest) store.set(await storedEntry(entry, digest, parseData))
  }
}

async function storedEntry(
  { id, data, filePath, render }: CollectionEntry,
  digest: string | number,
  parseData: LoaderContext['parseData'],
): Promise<StoredEntry> {
  const place = filePath === undefined ? {} : { filePath }
  const rendered = render?.()
  return {
    id,
    data: await parseData({ id, data, ...place }),
    digest,
    ...place,
    ...(rendered === undefined ? {} : { rendered }),
  }
}
