// Runs kb doctor on a project in this process, with waits that take no time.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../../src/api/client/create-client.ts'
import type { RunDoctorOptions } from '../../../src/inspect/doctor/doctor-options.ts'
import { exitCodeOfFindings } from '../../../src/cli/results/exit-code.ts'
import type { DoctorReport } from '../../../src/inspect/doctor/doctor-report.ts'
import type { FindingStatus } from '../../../src/inspect/doctor/finding.ts'
import { runDoctor } from '../../../src/inspect/doctor/run-doctor.ts'
import { inspectDatabase } from '../../../src/server/store/sqlite/inspect-database.ts'
import { digest } from '../../../src/core/digest.ts'
import { article, configFile, type Files } from '../../support/project.ts'
import { SERVICE_KEY } from '../../support/strict-service.ts'

export const CONTENT: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/first.md': article('First'),
}

/** Runs the doctor on the folder `root`. The target is at `url`; the built-in server if undefined. */
export function examine(
  root: string,
  url: string | undefined,
  options: Partial<RunDoctorOptions> = {},
): Promise<DoctorReport> {
  const startMs = Date.now()
  let sleptMs = 0
  let tokens = 0
  return runDoctor({
    cwd: root,
    env: url === undefined ? {} : { KB_URL: url, KB_API_KEY: SERVICE_KEY },
    probe: false,
    connect:
      (target, settings) =>
      ({ signal }) =>
        Promise.resolve({
          name: target.name,
          client: createClient({
            url: target.kind === 'remote' ? target.url : '',
            apiKey: SERVICE_KEY,
            timeoutMs: 10_000,
            retries: settings.sync.retries,
            concurrency: 4,
            signal,
            sleep: () => Promise.resolve(),
          }),
          createTaxonomy: undefined,
          close: () => Promise.resolve({ ownRevisions: 0 }),
        }),
    inspectDatabase: (file) => Promise.resolve().then(() => inspectDatabase(file)),
    now: () => new Date(startMs + sleptMs),
    sleep: (ms) => {
      sleptMs += ms
      return Promise.resolve()
    },
    randomToken: () => digest(`token ${root} ${startMs} ${tokens++}`),
    ...options,
  })
}

/** Checks that are not `ok`, with the exit code. */
export function troubles(report: DoctorReport): Record<string, FindingStatus | number> {
  const found = report.findings.filter(({ status }) => status !== 'ok')
  return {
    ...Object.fromEntries(found.map(({ check, status }) => [check, status])),
    exit: exitCodeOfFindings(report.findings),
  }
}

/** Returns the finding of one check as `status: message`; undefined if there is none. */
export function findingOf({ findings }: DoctorReport, check: string): string | undefined {
  const found = findings.find((finding) => finding.check === check)
  return found === undefined ? undefined : `${found.status}: ${found.message}`
}

/** Status by check, for one area. */
export function areaOf({ findings }: DoctorReport, area: string): Record<string, FindingStatus> {
  return Object.fromEntries(
    findings.flatMap(({ check, status }) => (check.startsWith(`${area}.`) ? [[check, status] as const] : [])),
  )
}

/** Every file and folder under `root` with its mode and a digest of its bytes. */
export function snapshot(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return Object.fromEntries(
    entries.map((name) => {
      const stats = statSync(join(root, name))
      return [name, `${stats.mode} ${stats.isFile() ? digest(readFileSync(join(root, name))) : ''}`]
    }),
  )
}
