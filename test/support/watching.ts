// The built binary as it watches a project: `kb watch --json`, and what it tells.
import type { RunningCommand, TestProject } from './project.ts'

/** One line of `kb watch --json`. */
export interface ToldEvent {
  readonly event: string
  readonly [member: string]: unknown
}

export interface WatchingCommand extends RunningCommand {
  /** The next event of that name that was not taken by an earlier call. */
  readonly next: (event: string, fits?: (told: ToldEvent) => boolean) => Promise<ToldEvent>
  /** When all files have been looked at in a quiet moment after this call, and all that can be sent was. */
  readonly settled: () => Promise<void>
  /** Asks it to stop, as Ctrl-C does. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly last: ToldEvent | undefined }>
}

/** Starts `kb watch` and returns while it runs. */
export function startWatchCommand(
  project: TestProject,
  {
    args = ['--no-pages'],
    env = {},
  }: { readonly args?: readonly string[]; readonly env?: Record<string, string> } = {},
): WatchingCommand {
  const running = project.start(['watch', '--json', ...args], { env })
  const events: ToldEvent[] = []
  const waiting: (() => void)[] = []
  let isOver = false
  const announce = () => {
    for (const wake of waiting.splice(0)) wake()
  }
  let rest = ''
  running.process.stdout?.on('data', (part: string) => {
    const lines = `${rest}${part}`.split('\n')
    rest = lines.pop() ?? ''
    events.push(...lines.map((line) => JSON.parse(line) as ToldEvent))
    announce()
  })
  const ended = running.ended.finally(() => {
    isOver = true
    announce()
  })
  /** The place of the first event that fits, once there is one. */
  const find = async (name: string, fits: (told: ToldEvent, index: number) => boolean): Promise<number> => {
    for (;;) {
      const index = events.findIndex((told, at) => told.event === name && fits(told, at))
      if (index !== -1) return index
      if (isOver) throw new Error(`kb watch ended before it told of ${name}: ${(await ended).stderr}`)
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  const taken = new Map<string, number>()
  const take: WatchingCommand['next'] = async (name, fits = () => true) => {
    const index = await find(name, (told, at) => at >= (taken.get(name) ?? 0) && fits(told))
    taken.set(name, index + 1)
    return events[index] as ToldEvent
  }
  const next: WatchingCommand['next'] = (name, fits) => {
    const told = take(name, fits)
    // Whoever waited for the first of several things does not look at the others any more.
    told.catch(() => undefined)
    return told
  }
  return {
    ...running,
    ended,
    next,
    settled: async () => {
      const sinceMs = Date.now()
      // No article, and yet a change: after it, all files are looked at once more.
      project.write({ 'content/_settled.md': `Written at ${sinceMs}.\n` })
      // Nothing is taken: several may wait for the same quiet moment.
      const settled = find('settled', ({ lookedAtMs }) => Number(lookedAtMs) > sinceMs)
      settled.catch(() => undefined)
      await settled
    },
    stop: async () => {
      running.process.kill('SIGINT')
      const { code } = await ended
      return { code, last: events.at(-1) }
    },
  }
}
