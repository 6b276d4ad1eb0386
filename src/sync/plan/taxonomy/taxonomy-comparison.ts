import type { UpdateCategoryRequest, UpdateTagRequest } from '../../../api/contract/request.ts'
import type { TaxonomyOperation } from '../../../core/model/plan.ts'
import type { RemoteCategory, RemoteTag } from '../../../core/model/remote-article.ts'
import type { LocalCategory, LocalTag } from '../../../core/model/taxonomy.ts'
import type { TaxonomyIndex } from './taxonomy-index.ts'

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

/** How one entry of a taxonomy file relates to the target. */
export type TaxonomyComparison = {
  readonly operation: Pick<TaxonomyOperation, 'kind' | 'source' | 'slug' | 'language'>
  readonly stateKey: string
  readonly digest: string
} & (
  | { readonly verdict: 'absent'; readonly reason: string }
  /** The target has it, but it cannot be told which one it is. */
  | { readonly verdict: 'unclear'; readonly reason: string }
  | { readonly verdict: 'equal' }
  | {
      readonly verdict: 'different'
      readonly id: string
      readonly differences: readonly string[]
      /** What the target has now. */
      readonly before: RemoteCategory | RemoteTag
      readonly update: Update
    }
)

/** What would make the target equal, or why that cannot be sent. */
export type Update =
  | { readonly kind: 'category'; readonly body: UpdateCategoryRequest }
  | { readonly kind: 'tag'; readonly body: UpdateTagRequest }
  | { readonly kind: 'impossible'; readonly reason: string }
