import type { RequestCounts } from '../../api/client/request-counter.ts'
import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { DoctorOptions } from './doctor-options.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { failureOf, type Finding } from './finding.ts'
import { runProbe } from './probe/run-probe.ts'

/** Probes over a connection of its own, which no signal ends: what was made must be removed. */
export async function probeTarget(
  options: DoctorOptions,
  settings: Settings,
  target: TargetSettings,
  state: TargetState,
): Promise<{ readonly findings: readonly Finding[]; readonly requests: RequestCounts }> {
  try {
    const connect = options.connect(target, settings)
    const session = await connect({ readOnly: false })
    try {
      const findings = await runProbe({
        ...options,
        client: session.client,
        defaultLanguage: settings.defaultLanguage,
        settleMs: settings.sync.settleMs,
        knownIds: new Set(state.articles.map(({ id }) => id)),
      })
      return { findings, requests: session.client.countRequests() }
    } finally {
      await session.close()
    }
  } catch (error) {
    if (!(error instanceof KbError)) throw error
    return { findings: [failureOf('probe.run', error)], requests: {} }
  }
}
