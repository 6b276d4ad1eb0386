import type { Diagnostic } from '../../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import { resolveArticle } from '../resolved-article.ts'
import { onTarget, type TargetCapabilities } from '../target-capabilities.ts'
import type { ResolvedReference, TaxonomyIndex } from './taxonomy-index.ts'

export interface MissingReference {
  readonly kind: 'category' | 'tag'
  readonly problem: 'missing' | 'ambiguous'
  readonly name: string
  /** The articles and fields that use it. */
  readonly places: { readonly article: LocalArticle; readonly field: string }[]
}

/**
 * Resolves the names of categories and tags to the target's ids. A name that the target lacks is listed once, with
 * the articles that use it; these articles are left out.
 *
 * @param options `isSelected`: the run may send the article; the categories and tags of others need not exist
 */
export function resolveReferences(
  articles: readonly LocalArticle[],
  index: TaxonomyIndex,
  { isSelected }: { readonly isSelected: (source: string) => boolean },
) {
  const missing = new Map<string, MissingReference>()
  const ofOthers = new Map<string, MissingReference>()
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
    /** Keys of documents with a tag that is not known. */
    unknownTags: unknownTags.flatMap(({ places }) => places.map(({ article }) => article.key)),
    missing: [...missing.values()],
  }
}

function resolveEach(
  article: LocalArticle,
  kind: MissingReference['kind'],
  references: readonly string[],
  resolve: (reference: string) => ResolvedReference,
  missing: Map<string, MissingReference>,
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

interface Wording {
  readonly contentPrefix: string
  /** True if a sync creates what `_categories.yml` and `_tags.yml` list. */
  readonly createsMissing: boolean
  readonly offers: TargetCapabilities
}

/** Maximum number of names that get a message each. If there are more, they have the same cause. */
const NAMED_ALONE = 3

/** Summarises missing names: where kb-sync cannot create them, many names are one problem, with one fix. */
export function explainAllMissing(missing: readonly MissingReference[], wording: Wording): Diagnostic[] {
  const grouped = (['category', 'tag'] as const)
    .map((kind) => missing.filter((each) => each.kind === kind && each.problem === 'missing'))
    .filter((same) => same.length > NAMED_ALONE && !wording.createsMissing)
  const together = new Set(grouped.flat())
  return [
    ...grouped.map((same) => explainTogether(same, wording)),
    ...missing.filter((each) => !together.has(each)).map((each) => explainMissing(each, wording)),
  ]
}

function explainTogether(missing: readonly MissingReference[], wording: Wording): Diagnostic {
  const places = missing.flatMap((each) => each.places)
  const isCategory = missing[0]?.kind === 'category'
  const names = missing.map(({ name }) => `"${name}"`)
  return {
    code: isCategory ? 'category-unknown' : 'tag-unknown',
    severity: 'error',
    ...placeOf(places, wording.contentPrefix),
    message: `The target has none of ${names.length} ${isCategory ? 'categories' : 'tags'}: ${listSome(names, 10)} ${usedBy(places)}.`,
    hint: (isCategory ? CREATE_ALL.category : CREATE_ALL.tag)(wording.offers),
  }
}

const CREATE_ALL = {
  category: (offers: TargetCapabilities) =>
    `The API cannot create categories. ${onTarget(offers, 'kb admin categories add NAME for each, with --parent PATH below another one', 'Create them')}, or use categories that the target has.`,
  tag: (offers: TargetCapabilities) =>
    `The API neither lists nor creates tags. ${onTarget(offers, 'kb admin tags list, and kb admin tags add NAME for those that are not there', 'Find their ids, or create them,')}, and add each id as \`id: …\` to _tags.yml.`,
}

type Places = MissingReference['places']

function placeOf([first]: Places, contentPrefix: string) {
  return {
    file: `${contentPrefix}${first?.article.source ?? ''}`,
    ...(first?.article.positions[first.field] ?? { line: 1, column: 1 }),
  }
}

function usedBy(places: Places): string {
  return `(used by ${listSome([...new Set(places.map(({ article }) => article.source))], 3)})`
}

function listSome(all: readonly string[], most: number): string {
  const others = all.length > most ? ` and ${all.length - most} more` : ''
  return `${all.slice(0, most).join(', ')}${others}`
}

function explainMissing({ kind, problem, name, places }: MissingReference, wording: Wording): Diagnostic {
  const { contentPrefix, createsMissing, offers } = wording
  const wish = usedBy(places)
  return {
    code: `${kind}-${problem === 'missing' ? 'unknown' : 'ambiguous'}`,
    severity: 'error',
    ...placeOf(places, contentPrefix),
    message:
      problem === 'missing'
        ? `The target has no ${kind} "${name}" ${wish}.`
        : `The ${kind} "${name}" matches several on the target ${wish}.`,
    hint:
      problem === 'ambiguous'
        ? BE_EXACT[kind](name)
        : createsMissing
          ? LIST_IT[kind]
          : CREATE_IT[kind](name, offers),
  }
}

const LIST_IT = {
  category: 'Add it to _categories.yml: kb-sync then creates it.',
  tag: 'Add it to _tags.yml: kb-sync then creates it.',
}

const CREATE_IT = {
  category: (name: string, offers: TargetCapabilities) =>
    `The API cannot create it. ${onTarget(offers, addCategory(name), 'Create it')}.`,
  tag: (name: string, offers: TargetCapabilities) =>
    `The API neither lists nor creates tags. ${onTarget(offers, `kb admin tags list, or kb admin tags add ${quoted(name)} if it is not there`, 'Find its id, or create it,')}, and add the id as \`id: …\` to _tags.yml.`,
}

/** Adds the last category of a path below the others. */
function addCategory(path: string): string {
  const [, parent, name = path] = /^(.+[^\\])\/(.+)$/.exec(path) ?? []
  return `kb admin categories add ${quoted(name)}${parent === undefined ? '' : ` --parent ${quoted(parent)}`}`
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : JSON.stringify(word)
}

const BE_EXACT = {
  category: (name: string) =>
    name.includes('/')
      ? 'Add its id to _categories.yml: the list of the target names only the parent of each category.'
      : 'Use its path, such as Guides/Accounts, or add its id to _categories.yml.',
  tag: () => 'Add its id on the target as `id: …` to _tags.yml.',
}
