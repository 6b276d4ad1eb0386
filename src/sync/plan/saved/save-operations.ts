import { effectOf, type Operation } from '../../../core/model/plan.ts'
import type { RemoteArticle, RemoteCategory } from '../../../core/model/remote-article.ts'
import { digestParts } from '../../../core/digest.ts'
import { type ResolvedArticle, resolveArticle, withoutAliases } from '../resolved-article.ts'
import type { TaxonomyStep } from '../taxonomy/plan-taxonomy.ts'
import type { RemoteEntry } from '../remote-entry.ts'
import type { SavedOperation } from './saved-plan.ts'

/** The inputs of a plan that its operations depend on. */
export interface PlanGrounds {
  /** By source. */
  readonly wanted: ReadonlyMap<string, ResolvedArticle>
  readonly entries: readonly RemoteEntry[]
  readonly categories: readonly RemoteCategory[]
  readonly steps: readonly TaxonomyStep[]
}

/** Operations with digests of what they depend on, in a canonical order. Pure. @param groups their names, if needed */
export function saveOperations(
  operations: readonly Operation[],
  grounds: PlanGrounds,
  groups: ReadonlyMap<Operation, string> = new Map(),
): SavedOperation[] {
  const save = createSaver(grounds)
  return operations
    .map((operation) => {
      const group = groups.get(operation)
      return { ...save(operation), ...(group !== undefined && { group }) }
    })
    .toSorted(byItself)
}

/** Returns a function that adds to an operation the digests of what it depends on. Pure. */
export function createSaver(grounds: PlanGrounds): (operation: Operation) => SavedOperation {
  const entries = new Map(grounds.entries.map((entry) => [entry.id, entry]))
  const categories = new Map(grounds.categories.map((category) => [category.id, category]))
  const steps = new Map(grounds.steps.map((step) => [step.operation, step]))
  return (operation) => {
    const { kind, source = '', id = '' } = operation
    return {
      ...operation,
      ...(kind === 'article'
        ? groundsOfArticle(operation, grounds.wanted.get(source), entries.get(id))
        : groundsOfTaxonomy(steps.get(operation), categories.get(id))),
    }
  }
}

type Grounds = Pick<SavedOperation, 'sends' | 'restsOn' | 'content'>

function groundsOfArticle(
  operation: Operation,
  wanted: ResolvedArticle | undefined,
  entry: RemoteEntry | undefined,
): Grounds {
  // A skipped operation has no effect, and its article may not have been read.
  const effect = effectOf(operation)
  if (effect === 'skip') return {}
  return {
    ...(effect !== 'delete' &&
      wanted !== undefined && { sends: digestSent(wanted, entry), content: digestContent(wanted) }),
    ...(entry?.remote !== undefined && { restsOn: digestRemote(entry.remote) }),
  }
}

/** A change of the file that does not change the article may still decide whether its review period starts again. */
function digestSent({ fingerprint, article }: ResolvedArticle, entry: RemoteEntry | undefined): string {
  const keepsReviewDate = entry?.ours?.sourceHash === article.sourceHash
  return digestParts([fingerprint, String(keepsReviewDate)])
}

/**
 * Digest like the fingerprint, but with the names of categories and tags instead of their ids, and without the
 * original. Whether aliases count depends on the target.
 */
export function digestContent(wanted: ResolvedArticle): string {
  const { article } = withoutAliases(wanted)
  return resolveArticle(article, article.categories, article.tags).fingerprint
}

function digestRemote(remote: RemoteArticle): string {
  const { fieldsHash, projectionHash, editedMs, draftId, language, languageParent } = remote
  return digestParts([
    fieldsHash,
    projectionHash,
    String(editedMs ?? ''),
    draftId ?? '',
    language ?? '',
    languageParent ?? '',
  ])
}

function groundsOfTaxonomy(step: TaxonomyStep | undefined, category: RemoteCategory | undefined): Grounds {
  return {
    ...(step !== undefined && step.kind !== 'none' && { sends: digestParts([JSON.stringify(step.body)]) }),
    ...(category !== undefined && { restsOn: digestCategory(category) }),
  }
}

export function digestCategory({ name, order, parentName, translations }: RemoteCategory): string {
  return digestParts([name, String(order ?? ''), parentName ?? '', ...translations.toSorted()])
}

function byItself(a: SavedOperation, b: SavedOperation): number {
  const [keyA, keyB] = [sortKey(a), sortKey(b)]
  return keyA < keyB ? -1 : keyA > keyB ? 1 : 0
}

function sortKey({ kind, source, slug, language, id, action }: SavedOperation): string {
  return JSON.stringify([kind, source ?? '', slug, language ?? '', id ?? '', action])
}
