import { parseCategoryPath } from '../category-path.ts'

/** The texts of a category or tag in one language. */
export interface TaxonomyTexts {
  readonly name: string
  readonly slug: string
  readonly description?: string | undefined
  /** HTML. */
  readonly longDescription?: string | undefined
}

/** One entry of `_categories.yml`. Keys that the file leaves out are undefined and are never compared or sent. */
export interface LocalCategory {
  readonly name: string
  readonly slug: string | undefined
  readonly priority: number | undefined
  /** Names from the root down, this one's included: unique, as a name is unique among its siblings. */
  readonly path: readonly string[]
  readonly description: string | undefined
  /** HTML. */
  readonly longDescription: string | undefined
  readonly thumbnailUrl: string | undefined
  readonly iconUrl: string | undefined
  readonly translations: Readonly<Record<string, TaxonomyTexts>>
  readonly id: TargetIds | undefined
  /** With a preset: the folder (`guides/`) or the file that it comes from. Undefined: the taxonomy file. */
  readonly source?: string | undefined
  readonly line: number
}

/** One entry of `_tags.yml`. */
export interface LocalTag {
  readonly name: string
  readonly slug: string | undefined
  readonly description: string | undefined
  /** HTML. */
  readonly longDescription: string | undefined
  readonly translations: Readonly<Record<string, TaxonomyTexts>>
  readonly id: TargetIds | undefined
  /** With a preset: the file that it comes from. Undefined: the taxonomy file. */
  readonly source?: string | undefined
  readonly line: number
}

/** Ids on remote targets: one for all of them, or one for each target's name. */
type TargetIds = string | Readonly<Record<string, string>>

/** What the taxonomy files say; undefined where there is no such file. */
export interface LocalTaxonomy {
  readonly categories: readonly LocalCategory[] | undefined
  readonly tags: readonly LocalTag[] | undefined
}

/** What a reference in an article can mean among entries that have names, paths and perhaps slugs. */
export type TaxonomyLookup<T> =
  | { readonly kind: 'found'; readonly entry: T }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly entries: readonly T[] }

interface Named {
  readonly name: string
  readonly slug?: string | undefined
  readonly path?: readonly string[]
}

/**
 * Finds what `reference` names: a slug, else a name, else a path of names joined by `/`. Of several with a name, the one
 * of which that is the whole path is meant: it has no other. How accents are encoded does not matter: no one can see it.
 */
export function lookUp<T extends Named>(reference: string, entries: readonly T[]): TaxonomyLookup<T> {
  const wanted = reference.normalize('NFC')
  const path = JSON.stringify(parseCategoryPath(wanted))
  const hasPath = (entry: T): boolean =>
    entry.path !== undefined && JSON.stringify(entry.path).normalize('NFC') === path
  const tests: ((entry: T) => boolean)[] = [
    (entry) => entry.slug?.normalize('NFC') === wanted,
    (entry) => entry.name.normalize('NFC') === wanted,
    hasPath,
  ]
  for (const test of tests) {
    const [entry, ...others] = entries.filter(test)
    if (entry === undefined) continue
    if (others.length === 0) return { kind: 'found', entry }
    const [whole, other] = [entry, ...others].filter(hasPath)
    if (whole !== undefined && other === undefined) return { kind: 'found', entry: whole }
    return { kind: 'ambiguous', entries: [entry, ...others] }
  }
  return { kind: 'none' }
}
