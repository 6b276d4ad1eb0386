import type { LocalTag } from '../../core/model/taxonomy.ts'
import { addressName, findOne, type TreeCategory } from './category-tree.ts'
import { memoize } from '../../core/memoize.ts'

/** A tag as shown on pages. */
export type ListedTag = Pick<TreeCategory, 'name' | 'slug' | 'description' | 'translations'>

/** Lists the tags of the taxonomy file; without one, those in articles. `named` are the latter, possibly repeated. */
export function createTagList(listed: readonly LocalTag[] | undefined, named: Iterable<string>) {
  const entries: readonly ListedTag[] =
    listed?.map(({ name, slug, description = '', translations }) => ({
      name,
      slug: slug ?? addressName(name),
      description,
      translations,
    })) ??
    [...new Set(named)].map((name) => ({ name, slug: addressName(name), description: '', translations: {} }))
  return {
    all: entries,
    /** Finds a tag by slug or name. */
    find: memoize((reference: string) => findOne(reference, entries)),
    atSlug: (slug: string, language: string) => findAtSlug(entries, slug, language),
  }
}

/** Returns the entry with a slug in the language, else in the default language, else in any. */
export function findAtSlug<Entry extends Pick<ListedTag, 'slug' | 'translations'>>(
  entries: readonly Entry[],
  slug: string,
  language: string,
): Entry | undefined {
  return (
    entries.find(({ translations }) => translations[language]?.slug === slug) ??
    entries.find((entry) => entry.slug === slug) ??
    entries.find(({ translations }) => Object.values(translations).some((texts) => texts.slug === slug))
  )
}
