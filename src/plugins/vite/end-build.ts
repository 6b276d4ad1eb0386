import type { AdapterHost } from '../adapter/adapter.ts'
import { printable } from '../../core/printable.ts'
import type { BuildRun } from './build-run.ts'
import type { OtherTool } from './other-tools.ts'

export interface BuildEnd {
  readonly run: BuildRun
  readonly host: Pick<AdapterHost, 'info' | 'warn'>
  /** The tool that goes on after the bundles, if one does. */
  readonly other: OtherTool | undefined
  /** Whether a sync after the build is asked for at all. */
  readonly isWanted: boolean
}

/**
 * What comes after a build: the sync, if all of it is over and went well.
 *
 * @returns what the build has to fail with; undefined where all is as it should be
 */
export async function endBuild({ run, host, other, isWanted }: BuildEnd): Promise<string | undefined> {
  if (!isWanted || !run.isComplete()) return undefined
  if (other !== undefined) {
    if (run.isUntold()) host.warn(`not synced: ${other.advice}`)
    return undefined
  }
  const end = await run.adapter.sync()
  if (end.kind === 'failed') return printable(`The site is built, but not synced. ${end.text}`)
  if (!run.isUntold()) return undefined
  if (end.kind === 'synced') host.info(end.text)
  else if (end.reason !== undefined) host.info(`not synced: ${end.reason}`)
  return undefined
}

/**
 * The same where no hook of a bundle can end the build.
 *
 * @param printed what the tool prints of an error: where in the plugin it was found says nothing to anybody
 * @throws Error with what the build has to fail with
 */
export async function endBuildOrThrow(end: BuildEnd, printed: 'stack' | 'both'): Promise<void> {
  const failure = await endBuild(end)
  if (failure === undefined) return
  throw Object.assign(new Error(failure), { stack: printed === 'both' ? '' : failure })
}
