import { contentPrefix } from '../../sync/content-project.ts'
import { makePlan } from '../../sync/planning/make-plan.ts'
import type { PlannedRun } from '../../sync/planning/planned-run.ts'
import type { PullContext } from './pull-context.ts'
import type { PullOptions } from './pull-options.ts'

/**
 * Reads every article of ours and, where no paths are given, every other one. What the plan would do to the target is
 * of no interest here.
 */
export async function planPull(
  { open: { content }, session, state }: PullContext,
  { settings, isSelected }: PullOptions,
): Promise<PlannedRun> {
  return makePlan({
    session,
    state,
    articles: content.articles,
    taxonomy: content.taxonomy,
    created: { categoryIds: {}, tagIds: {} },
    options: {
      project: settings.project,
      defaultLanguage: settings.defaultLanguage,
      contentPrefix: contentPrefix(settings),
      taxonomyMode: 'check',
      prune: isSelected === undefined,
      overwriteDrift: false,
      adopt: new Set(),
      verify: true,
      // Nothing is deleted here, however much is gone.
      maxGone: (known) => known,
      isSelected: isSelected ?? (() => true),
      isSought: isSelected ?? (() => true),
      readsBeforeWrite: false,
      // With `verify`, no memory counts.
      nowMs: 0,
      patience: undefined,
    },
  })
}
