import { resolve } from 'node:path'
import type { Settings } from '../config/settings.ts'
import { loadSettings } from '../index.ts'
import type { CommonOptions } from './common-options.ts'
import { listenForInterruption } from './interruption.ts'
import { createProgress, type RunProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { toSources } from './to-sources.ts'
import { warnOfWrittenKeys } from './warn-of-written-keys.ts'

/** What a command has to do with: a project, and somebody who may stop it. */
export interface ProjectRun extends Pick<RunProgress, 'onProgress' | 'onDelay'> {
  readonly cwd: string
  readonly settings: Settings
  /** Paths of the command line, under the content root; undefined for all. */
  readonly sources: string[] | undefined
  readonly signal: AbortSignal
}

/** Runs a command on the project of `options`; progress is shown, and Ctrl-C heard, until it has ended. */
export async function runOnProject<Result>(
  paths: readonly string[],
  options: CommonOptions,
  terminal: Terminal,
  command: (run: ProjectRun) => Promise<Result>,
): Promise<Result> {
  const cwd = resolve(options.cwd ?? '.')
  const { signal, stop } = listenForInterruption(terminal)
  const progress = createProgress(terminal, options.quiet === true || options.json === true)
  try {
    const settings = await loadSettings({ cwd, config: options.config })
    warnOfWrittenKeys(settings, terminal)
    const sources = toSources(paths, cwd, settings.contentRoot)
    const { onProgress, onDelay } = progress
    return await command({ cwd, settings, sources, signal, onProgress, onDelay })
  } finally {
    progress.stop()
    stop()
  }
}
