// Stores recent results of checks, so that frequent checks do not burden other sites. Disposable: without it, every URL
// is requested.
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Observation } from '../../../api/link-probe/observation.ts'
import { writeFileWhole } from '../../../core/write-file-whole.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Lifetime of a failure. It is short, because someone may be fixing it. */
const BROKEN_MS = 10 * 60_000

const MOST_ADDRESSES = 20_000
const LONGEST_ADDRESS = 2000

export type LinkMemory = ReturnType<typeof openLinkMemory>

interface Entry {
  readonly observation: Observation
  /** Unix time in milliseconds. */
  readonly untilMs: number
}

/** @param file undefined if nothing may be stored */
export function openLinkMemory(file: string | undefined, nowMs: () => number) {
  const entries = new Map(file === undefined ? [] : readEntries(file, nowMs()))
  return {
    /** Returns the stored result for a URL if it is still valid. */
    recall: (address: string) => {
      const entry = entries.get(address)
      return entry === undefined || entry.untilMs <= nowMs() ? undefined : entry.observation
    },
    remember: (address: string, observation: Observation) => {
      const holdsMs = holdsFor(observation)
      if (holdsMs > 0 && address.length <= LONGEST_ADDRESS)
        entries.set(address, { observation, untilMs: nowMs() + holdsMs })
    },
    forget: (address: string) => void entries.delete(address),
    /** Writes the file. If that fails, the next check only takes longer. */
    save: async () => {
      if (file === undefined) return
      const kept = [...entries]
        .filter(([, { untilMs }]) => untilMs > nowMs())
        .toSorted(([, a], [, b]) => b.untilMs - a.untilMs)
        .slice(0, MOST_ADDRESSES)
      try {
        mkdirSync(dirname(file), { recursive: true })
        await writeFileWhole(file, JSON.stringify({ version: 1, entries: kept }))
      } catch {
        // The next run requests the URLs again.
      }
    },
  }
}

/** Lifetime in milliseconds; 0 if it depends on this run and its options, such as a private address. */
function holdsFor(observation: Observation): number {
  switch (observation.kind) {
    case 'works':
      return DAY_MS
    case 'closed':
      return observation.status === null ? 0 : DAY_MS
    case 'broken':
      return BROKEN_MS
    case 'busy':
      return Math.min(observation.retryAfterMs, HOUR_MS)
  }
}

function readEntries(file: string, nowMs: number): [string, Entry][] {
  try {
    const { version, entries } = JSON.parse(readFileSync(file, 'utf8')) as {
      version: unknown
      entries: [string, Entry][]
    }
    if (version !== 1) return []
    // An entry with a longer lifetime was written while the clock was ahead.
    return entries.filter(([, { observation, untilMs }]) => isKnown(observation) && untilMs - nowMs <= DAY_MS)
  } catch {
    return []
  }
}

function isKnown({ kind }: Observation): boolean {
  return kind === 'works' || kind === 'closed' || kind === 'broken' || kind === 'busy'
}
