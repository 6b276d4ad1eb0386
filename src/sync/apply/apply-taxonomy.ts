import type { TaxonomyStep } from '../../plan/taxonomy/plan-taxonomy.ts'
import type { ApplyContext } from './apply-context.ts'
import { attempt, report } from './attempt.ts'
import { explainOutcome, type SendResult } from './send-article.ts'

/** Executes the updates of categories and tags, one after the other: a parent may have to come before its child. */
export async function applyTaxonomy(
  steps: readonly TaxonomyStep[],
  context: ApplyContext,
  onDone: (step: TaxonomyStep) => void,
): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'none') continue
    const result = await attempt(context, () => updateTaxonomy(step, context))
    if (result === undefined) onDone(step)
    report(step.operation, result, context)
    context.onStep()
  }
}

async function updateTaxonomy(
  step: Exclude<TaxonomyStep, { kind: 'none' }>,
  { client }: ApplyContext,
): Promise<SendResult | undefined> {
  const { id } = step.operation
  const outcome =
    step.kind === 'category'
      ? await client.updateCategory(id, step.body)
      : await client.updateTag(id, step.body)
  return outcome.kind === 'done' ? undefined : { kind: 'failed', reason: explainOutcome(outcome) }
}
