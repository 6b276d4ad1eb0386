import { type LocalTaxonomy, lookUp, type TaxonomyTexts } from '../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import { nearest } from '../../core/nearest.ts'
import { decodeFragment } from '../markdown/anchors.ts'
import type { AddressOf, LinkResolution } from './resolved-link.ts'

/** What links to categories and tags are resolved against. */
export interface TaxonomyLinks {
  readonly taxonomy: LocalTaxonomy
  /** Taxonomy files that exist, also those with problems. */
  readonly files: ReadonlySet<string>
  readonly categoryUrl: AddressOf
  readonly tagUrl: AddressOf
  readonly defaultLanguage: string
}

interface Entry {
  readonly name: string
  readonly slug: string | undefined
  readonly path?: readonly string[]
  readonly translations: Readonly<Record<string, TaxonomyTexts>>
}

interface Kind {
  readonly kind: 'category' | 'tag'
  readonly file: string
}

const KINDS: readonly Kind[] = [
  { kind: 'category', file: '_categories.yml' },
  { kind: 'tag', file: '_tags.yml' },
]

/** Which taxonomy file a source is; undefined for all others. */
export function taxonomyKindOf(source: string): Kind | undefined {
  return KINDS.find(({ file }) => file === source)
}

/**
 * Resolves `_categories.yml#accounts` to the address of that category, in `language` where the taxonomy has a
 * translation. The entry is named as in the frontmatter: by slug, else by name or path.
 */
export function resolveTaxonomyLink(
  { kind, file }: Kind,
  fragment: string | undefined,
  language: string,
  links: TaxonomyLinks,
): LinkResolution {
  const entries: readonly Entry[] | undefined =
    kind === 'category' ? links.taxonomy.categories : links.taxonomy.tags
  // A file with problems of its own: those are reported, and nothing can be said of the link.
  if (entries === undefined && links.files.has(file)) return { kind: 'unknown' }
  const wanted = decodeFragment(fragment ?? '')
  const found = lookUp(wanted, entries ?? [])
  switch (found.kind) {
    case 'found':
      return addressOf(kind, found.entry, language, links)
    case 'ambiguous':
      return complaint(`"${wanted}" fits more than one ${kind} of ${file}.`, 'Name it by its slug.')
    case 'none':
      return missing(kind, file, wanted, entries ?? [])
  }
}

/**
 * The address of the category that a folder became, as a link to its entry has it. Undefined where there is no such
 * category.
 */
export function resolveCategory(
  reference: string,
  language: string,
  links: TaxonomyLinks,
): LinkResolution | undefined {
  const found = lookUp<Entry>(reference, links.taxonomy.categories ?? [])
  return found.kind === 'found' ? addressOf('category', found.entry, language, links) : undefined
}

function addressOf(
  kind: Kind['kind'],
  entry: Entry,
  language: string,
  { categoryUrl, tagUrl, defaultLanguage }: TaxonomyLinks,
): LinkResolution {
  const translated = entry.translations[language]
  const slug = translated?.slug ?? entry.slug
  if (slug === undefined) {
    const message = `The ${kind} "${entry.name}" has no slug, so it has no address.`
    return complaint(message, `Give it a slug in ${kind === 'category' ? '_categories.yml' : '_tags.yml'}.`)
  }
  const of = kind === 'category' ? categoryUrl : tagUrl
  const url = of({ slug, language: translated === undefined ? defaultLanguage : language })
  return {
    kind: 'url',
    url,
    to: { kind, name: entry.path === undefined ? entry.name : formatCategoryPath(entry.path) },
  }
}

/** The addresses of all categories and tags, in every language. */
export function listTaxonomyAddresses({
  taxonomy,
  categoryUrl,
  tagUrl,
  defaultLanguage,
}: TaxonomyLinks): string[] {
  const addresses = (entries: readonly Entry[] = [], of: AddressOf) =>
    entries.flatMap(({ slug, translations }) => [
      ...(slug === undefined ? [] : [of({ slug, language: defaultLanguage })]),
      ...Object.entries(translations).flatMap(([language, texts]) =>
        texts.slug === undefined ? [] : [of({ slug: texts.slug, language })],
      ),
    ])
  return [...addresses(taxonomy.categories, categoryUrl), ...addresses(taxonomy.tags, tagUrl)]
}

function missing(
  kind: Kind['kind'],
  file: string,
  wanted: string,
  entries: readonly Entry[],
): LinkResolution {
  const meant = nearest(
    wanted,
    entries.flatMap(({ slug, name }) => (slug === undefined ? [name] : [slug, name])),
  )
  const message =
    wanted === '' ? `The link to ${file} names no ${kind}.` : `There is no ${kind} "${wanted}" in ${file}.`
  const hint =
    wanted === '' || meant === undefined
      ? `Write ${file}# and the slug of one of its entries.`
      : `Did you mean ${file}#${encodeURI(meant)}?`
  return complaint(message, hint)
}

function complaint(message: string, hint: string): LinkResolution {
  return { kind: 'problem', code: 'link-taxonomy-missing', message, hint }
}
