import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { resolveTarget } from '../core/config/resolve-target.ts'
import type { Settings } from '../core/config/settings.ts'
import { KbError } from '../core/errors/kb-error.ts'
import type { Report } from '../inspect/report/report.ts'
import type { BaselineUse } from '../inspect/report/report-task.ts'
import { runReport } from '../inspect/report/run-report.ts'
import { chooseTarget } from './choose-target.ts'
import type { Project } from './project.ts'
import type { ReportOptions } from './run-options.ts'

/** `Kb.report` */
export async function report(project: Project, options: ReportOptions): Promise<Report> {
  const { env } = project
  const { onProgress, signal, external, owners, ownersFrom = 'target' } = options
  // It changes nothing, neither there nor in the files: a project without a name is reported as well.
  const chosen = await chooseTarget(project, options, resolveTarget)
  const { settings } = chosen
  return runReport({
    ...chosen,
    sources: options.sources,
    dueWithinDays: options.dueWithinDays ?? settings.report.dueWithinDays,
    thresholds: {
      failOn: options.failOn ?? settings.report.failOn,
      maxOverdue: options.maxOverdue ?? settings.report.maxOverdue,
    },
    ignoredLinks: [...settings.ignoredLinks, ...(options.ignoreLinks ?? [])],
    baseline: baselineOf(project, settings, options),
    owners: owners && { shown: owners, from: ownersFrom },
    external: external && { allowPrivateAddresses: external.allowPrivateAddresses },
    keepsHistory: options.history ?? true,
    now: () => new Date(),
    sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    env,
    onProgress,
    signal,
  })
}

function baselineOf(
  { cwd }: Project,
  settings: Settings,
  { baseline, writeBaseline = false, sources }: ReportOptions,
): BaselineUse | undefined {
  const file = baseline === undefined ? settings.report.baseline : resolve(cwd, baseline)
  if (file !== undefined) {
    if (writeBaseline && sources !== undefined)
      throw new KbError('USAGE', 'A baseline is written for all articles, not for some of them.', {
        hint: 'Leave out the paths, or --write-baseline.',
      })
    return { file, isWritten: writeBaseline }
  }
  if (!writeBaseline) return undefined
  throw new KbError('USAGE', 'There is no name for the baseline that is to be written.', {
    hint: 'Name the file with --baseline, such as kb-baseline.json, or as report.baseline in kb.config.ts.',
  })
}
