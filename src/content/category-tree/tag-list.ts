import type { LocalTag } from '../../core/model/taxonomy.ts'
import { addressName, findOne } from './category-tree.ts'

/** A tag as pages show it. */
export interface ListedTag {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly translations: LocalTag['translations']
}

export interface TagList {
  readonly all: readonly ListedTag[]
  /** What an article means by a slug or a name. */
  readonly find: (reference: string) => ListedTag | undefined
  /** By its slug in the language, else in the default one, else in any. */
  readonly atSlug: (slug: string, language: string) => ListedTag | undefined
}

/**
 * The tags of the taxonomy file; without one, those that articles name.
 *
 * @param named tags as articles write them, doubles allowed
 */
export function createTagList(listed: readonly LocalTag[] | undefined, named: Iterable<string>): TagList {
  const entries: readonly ListedTag[] =
    listed?.map(({ name, slug, description = '', translations }) => ({
      name,
      slug: slug ?? addressName(name),
      description,
      translations,
    })) ??
    [...new Set(named)].map((name) => ({ name, slug: addressName(name), description: '', translations: {} }))
  const known = new Map<string, ListedTag | undefined>()
  return {
    all: entries,
    find: (reference) => {
      if (!known.has(reference)) known.set(reference, findOne(reference, entries))
      return known.get(reference)
    },
    atSlug: (slug, language) =>
      entries.find(({ translations }) => translations[language]?.slug === slug) ??
      entries.find((entry) => entry.slug === slug) ??
      entries.find(({ translations }) => Object.values(translations).some((texts) => texts.slug === slug)),
  }
}
