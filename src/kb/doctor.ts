import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DoctorReport } from '../inspect/doctor/doctor-report.ts'
import { runDoctor } from '../inspect/doctor/run-doctor.ts'
import { openTarget } from './open-target.ts'
import type { Project } from './project.ts'
import type { DoctorOptions } from './run-options.ts'

/** Looking is no reason to hurry. */
const CONCURRENCY = 4

/** `Kb.doctor` */
export async function doctor(
  { cwd, configFile, env }: Project,
  { target: targetName, probe = false, onPhase, signal }: DoctorOptions,
): Promise<DoctorReport> {
  return runDoctor({
    cwd,
    configFile,
    targetName,
    env,
    probe,
    connect: (target, settings) => openTarget(target, settings, { concurrency: CONCURRENCY, env }),
    inspectDatabase: async (file) => {
      const { inspectBuiltinDatabase } = await import('./target/inspect-builtin-database.ts')
      return inspectBuiltinDatabase(file)
    },
    now: () => new Date(),
    sleep,
    randomToken: () => randomBytes(16).toString('hex'),
    onPhase,
    signal,
  })
}
