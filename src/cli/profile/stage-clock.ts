import type { SyncStage } from '../../sync/sync-options.ts'

/** `start`: Node.js and the command line. `configure`: the configuration. */
type Stage = 'start' | 'configure' | SyncStage

export interface StageTime {
  readonly stage: Stage
  readonly wallMs: number
  /** Of all threads together. */
  readonly cpuMs: number
}

/** Measures consecutive stages. The first one started with the process and ends now. */
export function createStageClock() {
  const times = new Map<Stage, { wallMs: number; cpuMs: number }>()
  let stage: Stage = 'start'
  let since = { wallMs: 0, cpuMs: 0 }
  const begin = (next: Stage) => {
    const now = readClocks()
    const before = times.get(stage) ?? { wallMs: 0, cpuMs: 0 }
    times.set(stage, {
      wallMs: before.wallMs + now.wallMs - since.wallMs,
      cpuMs: before.cpuMs + now.cpuMs - since.cpuMs,
    })
    stage = next
    since = now
  }
  begin('configure')
  return {
    begin,
    stop: (): readonly StageTime[] => {
      begin(stage)
      return [...times].map(([name, { wallMs, cpuMs }]) => ({
        stage: name,
        wallMs: Math.round(wallMs * 10) / 10,
        cpuMs: Math.round(cpuMs * 10) / 10,
      }))
    },
  }
}

function readClocks() {
  const { user, system } = process.cpuUsage()
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 }
}
