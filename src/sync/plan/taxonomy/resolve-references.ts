import type { Diagnostic } from '../../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import { type ResolvedArticle, resolveArticle } from '../payload.ts'
import type { ResolvedReference, TaxonomyIndex } from './taxonomy-index.ts'

interface Missing {
  readonly kind: 'category' | 'tag'
  readonly problem: 'missing' | 'ambiguous'
  readonly name: string
  /** The articles and fields that use it. */
  readonly places: { readonly article: LocalArticle; readonly field: string }[]
}

interface ReferenceOptions {
  readonly contentPrefix: string
  readonly createsMissing: boolean
  /** True if the run may send the article. The categories and tags of other articles need not exist. */
  readonly isSelected: (source: string) => boolean
}

/**
 * Resolves the names of categories and tags to the target's ids. A name that the target lacks is reported once, with
 * the articles that use it; these articles are left out.
 */
export function resolveReferences(
  articles: readonly LocalArticle[],
  index: TaxonomyIndex,
  { contentPrefix, createsMissing, isSelected }: ReferenceOptions,
): {
  readonly wanted: readonly ResolvedArticle[]
  readonly diagnostics: readonly Diagnostic[]
  /** Keys of documents with a tag that is not known. */
  readonly unknownTags: readonly string[]
} {
  const missing = new Map<string, Missing>()
  const ofOthers = new Map<string, Missing>()
  const wanted = articles.flatMap((article) => {
    const isAsked = isSelected(article.source)
    const noted = isAsked ? missing : ofOthers
    const categoryIds = resolveEach(article, 'category', article.categories, index.category, noted)
    const tagIds = resolveEach(article, 'tag', article.tags, index.tag, noted)
    if (isAsked && (categoryIds === undefined || tagIds === undefined)) return []
    return [resolveArticle(article, categoryIds ?? [], tagIds ?? [])]
  })
  const unknownTags = [...missing.values()].filter(({ kind }) => kind === 'tag')
  return {
    wanted,
    unknownTags: unknownTags.flatMap(({ places }) => places.map(({ article }) => article.key)),
    diagnostics: [...missing.values()].map((each) => explain(each, contentPrefix, createsMissing)),
  }
}

function resolveEach(
  article: LocalArticle,
  kind: Missing['kind'],
  references: readonly string[],
  resolve: (reference: string) => ResolvedReference,
  missing: Map<string, Missing>,
): string[] | undefined {
  const field = kind === 'category' ? 'categories' : 'tags'
  const ids = references.flatMap((reference, position) => {
    const resolved = resolve(reference)
    if (resolved.kind === 'id') return [resolved.id]
    const key = `${kind} ${resolved.name}`
    const entry = missing.get(key) ?? { kind, problem: resolved.kind, name: resolved.name, places: [] }
    entry.places.push({ article, field: `${field}[${position}]` })
    missing.set(key, entry)
    return []
  })
  return ids.length === references.length ? [...new Set(ids)] : undefined
}

function explain(
  { kind, problem, name, places }: Missing,
  contentPrefix: string,
  createsMissing: boolean,
): Diagnostic {
  const [first] = places
  const sources = [...new Set(places.map(({ article }) => article.source))]
  const named = sources.slice(0, 3).join(', ')
  const others = sources.length > 3 ? ` and ${sources.length - 3} more` : ''
  const wish = `(used by ${named}${others})`
  return {
    code: `${kind}-${problem === 'missing' ? 'unknown' : 'ambiguous'}`,
    severity: 'error',
    file: `${contentPrefix}${first?.article.source ?? ''}`,
    ...(first?.article.positions[first.field] ?? { line: 1, column: 1 }),
    message:
      problem === 'missing'
        ? `The target has no ${kind} "${name}" ${wish}.`
        : `The ${kind} "${name}" matches several on the target ${wish}.`,
    hint: createsMissing && problem === 'missing' ? LIST_IT[kind] : HINTS[kind][problem],
  }
}

const LIST_IT = {
  category: 'Add it to _categories.yml: kb-sync then creates it.',
  tag: 'Add it to _tags.yml: kb-sync then creates it.',
}

const HINTS = {
  category: {
    missing:
      'Create it on the target, since the API cannot: in its web interface, or with kb admin categories add on a kb-sync server.',
    ambiguous: 'Use its path, such as Guides/Accounts, or add its id to _categories.yml.',
  },
  tag: {
    missing:
      'The API does not list tags: add its id on the target as `id: …` to _tags.yml. On a kb-sync server, kb admin tags list prints it.',
    ambiguous: 'Add its id on the target as `id: …` to _tags.yml.',
  },
} as const
