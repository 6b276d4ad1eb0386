import { parseCategoryPath } from '../category-path.ts'

/** The texts of a category or tag in one language. */
export interface TaxonomyTexts {
  readonly name: string
  readonly slug: string
  readonly description?: string | undefined
  /** HTML. */
  readonly longDescription?: string | undefined
}

/** An entry of `_categories.yml`. Omitted keys are undefined, and are never compared or sent. */
export interface LocalCategory extends LocalTag {
  readonly priority: number | undefined
  /** Names from the root down, including its own. Unique, because siblings have different names. */
  readonly path: readonly string[]
  readonly thumbnailUrl: string | undefined
  readonly iconUrl: string | undefined
}

/** An entry of `_tags.yml`. */
export interface LocalTag {
  readonly name: string
  readonly slug: string | undefined
  readonly description: string | undefined
  /** HTML. */
  readonly longDescription: string | undefined
  readonly translations: Readonly<Record<string, TaxonomyTexts>>
  readonly id: TargetIds | undefined
  /** With a preset: its file, or the folder of a category (`guides/`). Undefined: the taxonomy file. */
  readonly source?: string | undefined
  readonly line: number
}

/** Ids on remote targets: one for all targets, or one for each by target name. */
type TargetIds = string | Readonly<Record<string, string>>

/** The contents of the taxonomy files; undefined for a missing file. */
export interface LocalTaxonomy {
  readonly categories: readonly LocalCategory[] | undefined
  readonly tags: readonly LocalTag[] | undefined
}

/** The result of looking up a reference among entries with names, paths and optional slugs. */
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
 * Looks up `reference`: a slug, else a name, else a path of names joined by `/`. If several entries have the name,
 * returns the one at the root, which cannot be referred to otherwise. Accents match in any Unicode form.
 */
export function lookUp<T extends Named>(reference: string, entries: readonly T[]): TaxonomyLookup<T> {
  const normalised = reference.normalize('NFC')
  const path = JSON.stringify(parseCategoryPath(normalised))
  const hasPath = (entry: T): boolean =>
    entry.path !== undefined && JSON.stringify(entry.path).normalize('NFC') === path
  const tests: ((entry: T) => boolean)[] = [
    (entry) => entry.slug?.normalize('NFC') === normalised,
    (entry) => entry.name.normalize('NFC') === normalised,
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
