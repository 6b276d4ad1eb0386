import type { UpdateCategoryRequest, UpdateTagRequest } from '../../../api/contract/request.ts'
import type { TaxonomyOperation } from '../../../core/model/plan.ts'
import type { RemoteCategory, RemoteTag } from '../../../core/model/remote-article.ts'
import {
  type TaxonomyComparison,
  type TaxonomyPlanInput,
  UNSEEN_TEXTS,
  compareCategory,
  compareTag,
} from './compare-taxonomy.ts'

/** An operation on a category or tag, with its body and the state to store when it is done. */
export type TaxonomyStep = {
  /** Key in the state's `taxonomy`, with its new value. */
  readonly stateKey: string
  readonly digest: string
} & (
  | (UpdateStep & { readonly kind: 'category'; readonly body: UpdateCategoryRequest })
  | (UpdateStep & { readonly kind: 'tag'; readonly body: UpdateTagRequest })
  /** Only reported; nothing is sent. */
  | { readonly kind: 'none'; readonly operation: TaxonomyOperation }
)

interface UpdateStep {
  readonly operation: Extract<TaxonomyOperation, { readonly action: 'update' }>
  /** The values on the target; undefined if none of the values that it shows will change. */
  readonly before: RemoteCategory | RemoteTag | undefined
}

export type TaxonomyPlan = ReturnType<typeof planTaxonomy>

/**
 * Compares the taxonomy files with the target. Only keys written in the file count. The category list shows name,
 * order, parent and translations; all other fields are compared with what was last sent.
 */
export function planTaxonomy(input: TaxonomyPlanInput) {
  const comparisons = [
    ...input.categories.map((entry) => compareCategory(entry, input)),
    ...input.tags.map((entry) => compareTag(entry, input)),
  ]
  const equal = comparisons.filter(({ verdict }) => verdict === 'equal')
  return {
    steps: comparisons.flatMap((comparison) => toStep(comparison, input) ?? []),
    unchanged: equal.length,
    /** State digests of entries that need no change. */
    settled: Object.fromEntries(equal.map(({ stateKey, digest }) => [stateKey, digest])),
  }
}

function toStep(comparison: TaxonomyComparison, input: TaxonomyPlanInput): TaxonomyStep | undefined {
  const { operation, stateKey, digest, verdict } = comparison
  const base = { stateKey, digest }
  const skip = (id: string | undefined, reason: string): TaxonomyStep => ({
    ...base,
    kind: 'none',
    operation: { ...operation, action: 'skip', id, reason },
  })
  switch (verdict) {
    case 'equal':
      return undefined
    case 'absent':
      return input.createsMissing
        ? { ...base, kind: 'none', operation: { ...operation, action: 'create' } }
        : skip(undefined, comparison.reason)
    case 'unclear':
      return skip(undefined, comparison.reason)
    case 'different': {
      const { id, update, before } = comparison
      const reason = `differs in ${comparison.differences.join(', ')}`
      if (input.mode === 'check') return skip(id, `${reason}; sync.taxonomy is "check"`)
      if (update.kind === 'impossible') return skip(id, `${reason}; ${update.reason}`)
      const isVisible = comparison.differences.some((each) => each !== UNSEEN_TEXTS)
      return {
        ...base,
        ...update,
        before: isVisible ? before : undefined,
        operation: { ...operation, action: 'update', id, reason },
      }
    }
  }
}
