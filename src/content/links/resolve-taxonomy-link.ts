import { type LocalTaxonomy, lookUp, type TaxonomyTexts } from '../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import { nearest } from '../../core/nearest.ts'
import type { FoundFolder } from '../site-links/create-site-links.ts'
import { decodeAddress } from '../source/link-address.ts'
import { type UrlOf, failed, type ResolvedAddress } from './resolved-link.ts'

/** Everything that links to categories and tags are resolved against. */
export interface TaxonomyLinks {
  readonly taxonomy: LocalTaxonomy
  /** Existing taxonomy files, including those with problems. */
  readonly files: ReadonlySet<string>
  readonly categoryUrl: UrlOf
  readonly tagUrl: UrlOf
  readonly defaultLanguage: string
}

interface Entry {
  readonly name: string
  readonly slug: string | undefined
  readonly path?: readonly string[]
  readonly translations: Readonly<Record<string, TaxonomyTexts>>
}

export type TaxonomyKind = 'category' | 'tag'

const FILE_OF: Readonly<Record<TaxonomyKind, string>> = { category: '_categories.yml', tag: '_tags.yml' }

/** Returns the kind of a taxonomy file, or undefined for other files. */
export function taxonomyKindOf(source: string): TaxonomyKind | undefined {
  return (['category', 'tag'] as const).find((kind) => FILE_OF[kind] === source)
}

/**
 * Resolves `_categories.yml#accounts` to the URL of that category, in `language` if the taxonomy has a translation. The
 * fragment refers to the entry as in frontmatter: by slug, else by name or path.
 */
export function resolveTaxonomyLink(
  { of: kind, fragment }: { readonly of: TaxonomyKind; readonly fragment: string | undefined },
  language: string,
  links: TaxonomyLinks,
): ResolvedAddress | undefined {
  const file = FILE_OF[kind]
  const entries: readonly Entry[] | undefined =
    kind === 'category' ? links.taxonomy.categories : links.taxonomy.tags
  // The file has problems, which are reported. The target of the link is unknown.
  if (entries === undefined && links.files.has(file)) return undefined
  const wanted = decodeAddress(fragment ?? '')
  const found = lookUp(wanted, entries ?? [])
  switch (found.kind) {
    case 'found':
      return linkToEntry(kind, found.entry, language, links)
    case 'ambiguous':
      return broken(`"${wanted}" matches more than one ${kind} in ${file}.`, 'Use its slug.')
    case 'none':
      return missing(kind, wanted, entries ?? [])
  }
}

export function hasCategory(reference: string, { taxonomy }: TaxonomyLinks): boolean {
  return lookUp<Entry>(reference, taxonomy.categories ?? []).kind === 'found'
}

/** Resolves a folder to its category, as a link to that entry. Returns undefined if there is no such category. */
export function resolveCategory(folder: FoundFolder, links: TaxonomyLinks): ResolvedAddress | undefined {
  const found = lookUp<Entry>(folder.category, links.taxonomy.categories ?? [])
  return found.kind === 'found' ? linkToEntry('category', found.entry, folder.language, links) : undefined
}

function linkToEntry(
  kind: TaxonomyKind,
  entry: Entry,
  language: string,
  { categoryUrl, tagUrl, defaultLanguage }: TaxonomyLinks,
): ResolvedAddress {
  const translated = entry.translations[language]
  const slug = translated?.slug ?? entry.slug
  if (slug === undefined) {
    const message = `The ${kind} "${entry.name}" has no slug, so it has no URL.`
    return broken(message, `Add a slug to it in ${FILE_OF[kind]}.`)
  }
  const of = kind === 'category' ? categoryUrl : tagUrl
  const url = of({ slug, language: translated === undefined ? defaultLanguage : language })
  return {
    kind: 'url',
    url,
    to: { kind, name: entry.path === undefined ? entry.name : formatCategoryPath(entry.path) },
  }
}

/** Returns the URLs of all categories and tags in every language. `isKnown`: false if the target derives the slug. */
export function listTaxonomyAddresses(links: TaxonomyLinks) {
  const { taxonomy, categoryUrl, tagUrl, defaultLanguage } = links
  const addresses = (entries: readonly Entry[] = [], of: UrlOf) =>
    entries.flatMap(({ slug, translations }) =>
      [
        { language: defaultLanguage, own: slug },
        ...Object.entries(translations).map(([language, texts]) => ({ language, own: texts.slug ?? slug })),
      ].map(({ language, own }) => ({ url: of({ slug: own ?? '-', language }), isKnown: own !== undefined })),
    )
  return [...addresses(taxonomy.categories, categoryUrl), ...addresses(taxonomy.tags, tagUrl)]
}

function missing(kind: TaxonomyKind, wanted: string, entries: readonly Entry[]): ResolvedAddress {
  const file = FILE_OF[kind]
  const meant = nearest(
    wanted,
    entries.flatMap(({ slug, name }) => (slug === undefined ? [name] : [slug, name])),
  )
  const message =
    wanted === ''
      ? `The link to ${file} does not name a ${kind}.`
      : `There is no ${kind} "${wanted}" in ${file}.`
  const hint =
    wanted === '' || meant === undefined
      ? `Link to ${file}# followed by the slug of an entry.`
      : `Did you mean ${file}#${encodeURI(meant)}?`
  return broken(message, hint)
}

function broken(message: string, hint: string): ResolvedAddress {
  return failed({ code: 'link-taxonomy-missing', message, hint })
}
