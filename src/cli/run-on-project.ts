import { resolve } from 'node:path'
import type { Settings } from '../core/config/settings.ts'
import { createKb } from '../kb/create-kb.ts'
import { type Kb, kbOf } from '../kb/kb.ts'
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
  /** The commands as functions, with `settings` as they are. */
  readonly kb: Kb
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
    const settings = await createKb({ cwd, config: options.config }).loadSettings({ signal })
    warnOfWrittenKeys(settings, terminal)
    const sources = toSources(paths, cwd, settings.contentRoot)
    const { onProgress, onDelay } = progress
    const loadSettings = () => Promise.resolve(settings)
    const kb = kbOf({ cwd, configFile: options.config, env: process.env, loadSettings })
    return await command({ cwd, settings, kb, sources, signal, onProgress, onDelay })
  } finally {
    progress.stop()
    stop()
  }
}
