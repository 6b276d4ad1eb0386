import { type CheckResult, runCheck } from '../inspect/check/run-check.ts'
import { selectSources } from '../sync/select-sources.ts'
import { assertSources } from './assert-sources.ts'
import type { Project } from './project.ts'
import type { CheckOptions } from './run-options.ts'

/** `Kb.check` */
export async function check(project: Project, options: CheckOptions): Promise<CheckResult> {
  const { sources, external, onProgress, signal } = options
  const settings = await project.loadSettings()
  assertSources(sources, settings.contentRoot)
  return runCheck({
    settings,
    isSelected: selectSources(sources),
    external: external && { allowPrivateAddresses: external.allowPrivateAddresses },
    env: project.env,
    onProgress,
    signal,
  })
}
