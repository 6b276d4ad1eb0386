import { appendFileSync, statSync } from 'node:fs'
import { changedFiles } from '../../git/changed-files.ts'
import { pullRequestBase } from '../../git/pull-request-base.ts'
import type { CheckResult } from '../../check/run-check.ts'
import { reasonOf } from '../../errors/kb-error.ts'
import { changedFirst, formatAnnotations, formatNotice } from './format-github.ts'
import { formatJobSummary } from './format-job-summary.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** GitHub shows no summary that is larger. */
const SUMMARY_BYTES = 1024 * 1024

/**
 * Workflow commands for the log; the whole list goes into the job summary, if there is one. Problems in files of this
 * pull request come first: GitHub shows ten errors and ten warnings of a step at their lines, and no more.
 */
export async function reportOnGithub(
  { diagnostics, articles }: CheckResult,
  { root, prefix }: { readonly root: string; readonly prefix: string },
  env: Environment,
  signal?: AbortSignal,
): Promise<string> {
  const base = await pullRequestBase(root, env, signal)
  const changed =
    (base === undefined ? undefined : await changedFiles(root, base, signal)) ?? new Set<string>()
  const summaryFile = env['GITHUB_STEP_SUMMARY']
  if (summaryFile !== undefined && summaryFile !== '' && diagnostics.length > 0) {
    const sorted = changedFirst(diagnostics, prefix, changed)
    const failure = writeSummary(summaryFile, (room) => formatJobSummary(sorted, articles, prefix, room))
    return formatAnnotations(diagnostics, prefix, changed) + failure
  }
  return formatAnnotations(diagnostics, prefix, changed)
}

/** What went wrong, as one more annotation: the others are worth more than the summary. */
function writeSummary(file: string, format: (roomBytes: number) => string): string {
  try {
    appendFileSync(file, format(SUMMARY_BYTES - sizeOf(file)))
    return ''
  } catch (error) {
    return formatNotice('warning', `The job summary could not be written: ${reasonOf(error)}.`)
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
