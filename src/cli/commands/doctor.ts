import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings, TargetSettings } from '../../config/settings.ts'
import type { DoctorPhase } from '../../doctor/doctor-options.ts'
import { exitCodeOfFindings } from '../../doctor/doctor-report.ts'
import { runDoctor } from '../../doctor/run-doctor.ts'
import type { ExitCode } from '../../errors/exit-codes.ts'
import type { Connect } from '../../sync/target-session.ts'
import type { CommonOptions } from '../common-options.ts'
import { formatDoctor } from '../format-doctor.ts'
import { formatDoctorJson } from '../format-doctor-json.ts'
import { listenForInterruption } from '../interruption.ts'
import type { Terminal } from '../terminal.ts'

export interface DoctorCommandOptions extends CommonOptions {
  readonly target?: string
  readonly probe?: boolean
}

const PHASES: Readonly<Record<DoctorPhase, string>> = {
  files: 'Reading the files…',
  target: 'Asking the target…',
  probe: 'Trying with a hidden draft…',
}

/** `kb doctor` */
export async function examine(options: DoctorCommandOptions, terminal: Terminal): Promise<ExitCode> {
  const { quiet = false, verbose = false, json = false } = options
  const { signal, stop } = listenForInterruption(terminal)
  try {
    const report = await runDoctor({
      cwd: resolve(options.cwd ?? '.'),
      configFile: options.config,
      targetName: options.target,
      env: process.env,
      probe: options.probe ?? false,
      connect: (target, settings) => openTarget(target, settings),
      inspectDatabase: async (file) => {
        const { inspectDatabase } = await import('../../server/store/sqlite/inspect-database.ts')
        return inspectDatabase(file)
      },
      now: () => new Date(),
      sleep,
      randomToken: () => randomBytes(16).toString('hex'),
      onPhase: (phase) => (quiet || json ? undefined : terminal.status(PHASES[phase])),
      signal,
    })
    terminal.status('')
    terminal.out(json ? formatDoctorJson(report) : formatDoctor(report, { quiet, verbose }, terminal))
    return exitCodeOfFindings(report.findings)
  } finally {
    terminal.status('')
    stop()
  }
}

const CONCURRENCY = 4

async function openTarget(target: TargetSettings, settings: Settings): Promise<Connect> {
  if (target.kind === 'remote') {
    const { connectRemote } = await import('../../target/connect-remote.ts')
    return connectRemote(target, settings, { concurrency: CONCURRENCY, env: process.env })
  }
  const { connectBuiltin } = await import('../../target/connect-builtin.ts')
  return connectBuiltin(settings, CONCURRENCY)
}
