import type { UpdateCategoryRequest, UpdateTagRequest } from '../contract/request.ts'
import type { Operation } from '../model/plan.ts'
import type { RemoteCategory } from '../model/remote-article.ts'
import { formatCategoryPath, type LocalCategory, type LocalTag } from '../model/taxonomy.ts'
import { digest } from '../util/digest.ts'
import type { TaxonomyIndex } from './taxonomy-index.ts'

/** An operation on a category or tag with what it would send and what to remember once the target has it. */
export type TaxonomyStep = {
  readonly operation: Operation
  /** Key in the state's `taxonomy`, and its new value. */
  readonly stateKey: string
  readonly digest: string
} & (
  | { readonly kind: 'category'; readonly body: UpdateCategoryRequest }
  | { readonly kind: 'tag'; readonly body: UpdateTagRequest }
  | { readonly kind: 'none' }
)

/** A tag as the target returns it. */
export interface RemoteTag {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly longDescription: string
}

export interface TaxonomyPlanInput {
  readonly categories: readonly LocalCategory[]
  readonly tags: readonly LocalTag[]
  readonly index: TaxonomyIndex
  /** Tags read from the target, by id: only those of which state knows nothing, or whose entry changed. */
  readonly remoteTags: ReadonlyMap<string, RemoteTag>
  /** Digests of the last run. */
  readonly known: Readonly<Record<string, string>>
  readonly mode: 'check' | 'update'
  readonly createsMissing: boolean
  readonly defaultLanguage: string
}

export interface TaxonomyPlan {
  readonly steps: readonly TaxonomyStep[]
  readonly unchanged: number
  /** State digests of entries that are as they should be. */
  readonly settled: Readonly<Record<string, string>>
}

/**
 * Compares the taxonomy files with the target. Only keys written in the file count. The category list shows name,
 * order, parent and translations; the rest of a category is compared with what was last sent.
 */
export function planTaxonomy(input: TaxonomyPlanInput): TaxonomyPlan {
  const steps = [
    ...input.categories.map((entry) => planCategory(entry, input)),
    ...input.tags.map((entry) => planTag(entry, input)),
  ]
  const pending = steps.filter((step) => step.operation.reason !== UNCHANGED)
  const settled = steps.filter((step) => step.operation.reason === UNCHANGED)
  return {
    steps: pending,
    unchanged: settled.length,
    settled: Object.fromEntries(settled.map((step) => [step.stateKey, step.digest])),
  }
}

/** Digest of what the file says of a tag: tells whether the tag must be read and compared again. */
export function digestTag(tag: LocalTag): string {
  return digest(JSON.stringify([tag.name, tag.slug, tag.description, tag.longDescription]))
}

export const tagStateKey = (tag: LocalTag): string => `tag:${tag.name}`

const UNCHANGED = 'unchanged'

function planCategory(entry: LocalCategory, input: TaxonomyPlanInput): TaxonomyStep {
  const path = formatCategoryPath(entry.path)
  const stateKey = `category:${path}`
  const entryDigest = digestCategory(entry)
  const base = { stateKey, digest: entryDigest }
  const operation = {
    kind: 'category',
    source: '_categories.yml',
    slug: entry.slug ?? path,
    language: null,
  } as const
  const remote = input.index.remoteOf(entry)
  if (remote === undefined || remote === 'ambiguous')
    return { ...base, kind: 'none', operation: { ...operation, ...absent(remote, input) } }
  const differences = categoryDifferences(
    entry,
    remote,
    input.known[stateKey] !== undefined && input.known[stateKey] !== entryDigest,
  )
  const id = remote.id
  if (differences.length === 0)
    return { ...base, kind: 'none', operation: { ...operation, action: 'skip', id, reason: UNCHANGED } }
  const reason = `differs in ${differences.join(', ')}`
  if (input.mode === 'check')
    return {
      ...base,
      kind: 'none',
      operation: { ...operation, action: 'skip', id, reason: `${reason}; sync.taxonomy is "check"` },
    }
  if (entry.slug === undefined)
    return {
      ...base,
      kind: 'none',
      operation: {
        ...operation,
        action: 'skip',
        id,
        reason: `${reason}; an update needs its slug in _categories.yml`,
      },
    }
  return {
    ...base,
    kind: 'category',
    operation: { ...operation, action: 'update', id, reason },
    body: categoryBody(entry, entry.slug, remote, input),
  }
}

function absent(remote: 'ambiguous' | undefined, { createsMissing }: TaxonomyPlanInput) {
  if (remote === 'ambiguous')
    return { action: 'skip', id: '', reason: 'fits several categories of the target; give its id' } as const
  return createsMissing
    ? ({ action: 'create', id: '' } as const)
    : ({
        action: 'skip',
        id: '',
        reason: 'the target has no such category, and the interface cannot create one',
      } as const)
}

function categoryDifferences(entry: LocalCategory, remote: RemoteCategory, unseenChanged: boolean): string[] {
  return [
    ...(entry.name === remote.name ? [] : ['name']),
    ...(entry.priority === undefined || entry.priority === remote.order ? [] : ['priority']),
    ...((entry.path.at(-2) ?? '') === remote.parentName ? [] : ['parent']),
    ...(unseenChanged ? ['its description or other texts'] : []),
  ]
}

function categoryBody(
  entry: LocalCategory,
  slug: string,
  remote: RemoteCategory,
  input: TaxonomyPlanInput,
): UpdateCategoryRequest {
  const parent = input.categories.find(
    (other) => formatCategoryPath(other.path) === formatCategoryPath(entry.path.slice(0, -1)),
  )
  const remoteParent = parent === undefined ? undefined : input.index.remoteOf(parent)
  return {
    name: entry.name,
    slug,
    priority: entry.priority ?? remote.order ?? 0,
    ...(remoteParent === undefined || remoteParent === 'ambiguous'
      ? {}
      : { categoryParent: remoteParent.id }),
    ...written({
      description: entry.description,
      longDescription: entry.longDescription,
      thumbnailUrl: entry.thumbnailUrl,
      iconUrl: entry.iconUrl,
    }),
    lang: input.defaultLanguage,
  }
}

function digestCategory(entry: LocalCategory): string {
  const { name, slug, priority, path, description, longDescription, thumbnailUrl, iconUrl } = entry
  return digest(
    JSON.stringify([name, slug, priority, path, description, longDescription, thumbnailUrl, iconUrl]),
  )
}

function planTag(entry: LocalTag, input: TaxonomyPlanInput): TaxonomyStep {
  const stateKey = tagStateKey(entry)
  const base = { stateKey, digest: digestTag(entry) }
  const operation = {
    kind: 'tag',
    source: '_tags.yml',
    slug: entry.slug ?? entry.name,
    language: null,
  } as const
  const id = input.index.tagIdOf(entry)
  if (id === undefined) return { ...base, kind: 'none', operation: { ...operation, ...absentTag(input) } }
  const remote = input.remoteTags.get(id)
  const differences = remote === undefined ? [] : tagDifferences(entry, remote)
  if (differences.length === 0)
    return { ...base, kind: 'none', operation: { ...operation, action: 'skip', id, reason: UNCHANGED } }
  const reason = `differs in ${differences.join(', ')}`
  if (input.mode === 'check')
    return {
      ...base,
      kind: 'none',
      operation: { ...operation, action: 'skip', id, reason: `${reason}; sync.taxonomy is "check"` },
    }
  const slug = entry.slug ?? remote?.slug ?? ''
  const texts = written({ description: entry.description, longDescription: entry.longDescription })
  const body = { id, name: entry.name, slug, ...texts, lang: input.defaultLanguage }
  return { ...base, kind: 'tag', operation: { ...operation, action: 'update', id, reason }, body }
}

function absentTag({ createsMissing }: TaxonomyPlanInput) {
  return createsMissing
    ? ({ action: 'create', id: '' } as const)
    : ({
        action: 'skip',
        id: '',
        reason: 'its id on the target is not known; write it as id in _tags.yml',
      } as const)
}

function tagDifferences(entry: LocalTag, remote: RemoteTag): string[] {
  return [
    ...(entry.name === remote.name ? [] : ['name']),
    ...(entry.slug === undefined || entry.slug === remote.slug ? [] : ['slug']),
    ...(entry.description === undefined || entry.description === remote.description ? [] : ['description']),
    ...(entry.longDescription === undefined || entry.longDescription === remote.longDescription
      ? []
      : ['longDescription']),
  ]
}

/** The members that have a value: what the file leaves out is neither compared nor sent. */
function written<T extends Record<string, string | undefined>>(texts: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string
  }
}
