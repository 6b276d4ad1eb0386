import type { KbCollections } from './collections.ts'
import type { EleventyConfig } from './eleventy-config.ts'

/** Gives templates the collections, and for each a filter from an id to its item. */
export function offerCollections(config: EleventyConfig, collections: () => KbCollections): void {
  offer(config, { collection: 'kb', filter: 'kbArticle' }, () => collections().articles)
  offer(config, { collection: 'kbCategories', filter: 'kbCategory' }, () => collections().categories)
  offer(config, { collection: 'kbTags', filter: 'kbTag' }, () => collections().tags)
}

function offer(
  config: EleventyConfig,
  names: { readonly collection: string; readonly filter: string },
  list: () => readonly Item[],
): void {
  const find = finder(list)
  config.addCollection(names.collection, () => [...list()])
  config.addFilter(names.filter, (id) => find(id))
}

interface Item {
  readonly id: string
}

/** Looks items up in the list of the moment, which is gone through once. */
function finder(list: () => readonly Item[]): (id: string) => Item | undefined {
  let known: { readonly of: readonly Item[]; readonly byId: ReadonlyMap<string, Item> } | undefined
  return (id) => {
    const items = list()
    if (known?.of !== items) known = { of: items, byId: new Map(items.map((item) => [item.id, item])) }
    return known.byId.get(id)
  }
}
