import { readEnvironment, resolveRunTarget } from '../core/config/resolve-target.ts'
import { withTaxonomyMode } from '../sync/taxonomy-mode.ts'
import { assertSources } from './assert-sources.ts'
import { defaultConcurrency, openTarget } from './open-target.ts'
import type { Project } from './project.ts'
import type { TargetRunOptions } from './run-options.ts'

/**
 * The configuration, the target that a run speaks to, and how to connect to it. Throws KbError where sources, target or
 * environment are none.
 *
 * @param resolve how the target is told from options and environment; by default, a remote one needs a project name
 */
export async function chooseTarget(
  { loadSettings, env }: Project,
  { sources, target: name, concurrency, onDelay }: TargetRunOptions,
  resolve: typeof resolveRunTarget = resolveRunTarget,
) {
  const settings = await loadSettings()
  assertSources(sources, settings.contentRoot)
  const target = resolve(settings, name, readEnvironment(env))
  const most = concurrency ?? defaultConcurrency(target, settings)
  return {
    settings: withTaxonomyMode(settings, target),
    target,
    connect: openTarget(target, settings, { concurrency: most, env, onDelay }),
  }
}
