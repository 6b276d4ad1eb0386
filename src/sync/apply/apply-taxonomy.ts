import { KbError } from '../../core/errors/kb-error.ts'
import type { RemoteCategory, RemoteTag } from '../../core/model/remote-article.ts'
import type { TaxonomyStep } from '../plan/taxonomy/plan-taxonomy.ts'
import { toRemoteCategory, toRemoteTag } from '../remote/to-remote.ts'
import type { ApplyContext } from './apply-context.ts'
import { attempt, toOutcome, type NotRun } from './attempt.ts'
import { explainOutcome } from './journaled-writes.ts'
import type { SendResult } from './send-article.ts'

type UpdateStep = Exclude<TaxonomyStep, { kind: 'none' }>

/** Executes updates of categories and tags one at a time, because a child may need its parent, and verifies them. */
export async function applyTaxonomy(
  steps: readonly TaxonomyStep[],
  context: ApplyContext,
  onDone: (step: TaxonomyStep) => void,
): Promise<void> {
  const updates = steps.filter((step) => step.kind !== 'none')
  const results: (SendResult | NotRun | undefined)[] = []
  for (const step of updates) {
    results.push(await attempt(context, () => updateTaxonomy(step, context)))
    context.onStep()
  }
  const sent = updates.filter((_, index) => results[index] === undefined)
  const ignored = context.storesAsSent ? NONE : await findIgnored(sent, context)
  for (const [index, step] of updates.entries()) {
    const result = ignored.has(step) ? IGNORED : results[index]
    if (result === undefined) onDone(step)
    context.onResult({ ...step.operation, ...toOutcome(result) })
  }
}

const NONE: ReadonlySet<UpdateStep> = new Set()

const IGNORED: SendResult = { kind: 'failed', reason: explainOutcome({ kind: 'ignored' }) }

async function updateTaxonomy(step: UpdateStep, { client }: ApplyContext): Promise<SendResult | undefined> {
  const { id } = step.operation
  const outcome =
    step.kind === 'category'
      ? await client.updateCategory(id, step.body)
      : await client.updateTag(id, step.body)
  return outcome.kind === 'done' ? undefined : { kind: 'failed', reason: explainOutcome(outcome) }
}

function shownOf(item: RemoteCategory | RemoteTag | undefined): string | undefined {
  if (item === undefined) return undefined
  const isTag = 'slug' in item
  return JSON.stringify(
    isTag
      ? [item.name, item.slug, item.description, item.longDescription]
      : [item.name, item.order, item.parentName],
  )
}

/** Updates that the target reported as done but that changed nothing it shows. */
async function findIgnored(sent: readonly UpdateStep[], { client }: ApplyContext) {
  const visible = sent.filter(({ before }) => before !== undefined)
  try {
    const categories = visible.some(({ kind }) => kind === 'category')
      ? (await client.listCategories()).data.map(toRemoteCategory)
      : []
    const byId = new Map<string, RemoteCategory | RemoteTag>(categories.map((each) => [each.id, each]))
    for (const { kind, operation } of visible) {
      const tag = kind === 'tag' ? await client.readTag(operation.id) : undefined
      if (tag !== undefined) byId.set(operation.id, toRemoteTag(tag.data))
    }
    return new Set(
      visible.filter(({ before, operation }) => shownOf(byId.get(operation.id)) === shownOf(before)),
    )
  } catch (error) {
    // If it cannot be verified, the target's response counts.
    if (error instanceof KbError) return NONE
    throw error
  }
}
