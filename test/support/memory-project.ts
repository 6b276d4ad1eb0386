// A project on a service without sockets, whose runs can be killed at any request.
import type { KbConfig } from '../../src/core/config/schema.ts'
import { KbError } from '../../src/core/errors/kb-error.ts'
import type { SyncContentOptions, SyncResult } from '../../src/sync/sync-options.ts'
import type { Files } from './project.ts'
import { createMemoryService, Killed, type MemoryService, type Mishap } from './memory-service.ts'
import type { ServiceHabits } from './strict-service.ts'
import { createSyncProject, type RunOptions, type SyncProject } from './sync-project.ts'

/** By how many requests come before. */
type NumberedMishaps = readonly (readonly [number, Mishap])[]

export interface MemoryCheckout extends SyncProject {
  /** As `sync`, with mishaps on the way; undefined where the run was killed or refused. */
  readonly meet: (mishaps: NumberedMishaps, options?: RunOptions) => Promise<SyncResult | undefined>
  /** Its waits take no time, and its time knows of them. */
  readonly clock: Pick<SyncContentOptions, 'now' | 'sleep'>
  /** Lets an hour pass: what was sent should be listed by now. */
  readonly wait: () => void
}

/** A checkout of these files; its waits take no time, and its clock knows of them. */
export function createMemoryCheckout(
  service: MemoryService,
  files: Files,
  config: KbConfig = {},
): MemoryCheckout {
  const project = createSyncProject('http://service.test', files, config)
  let nowMs = Date.parse('2026-03-01T12:00:00Z')
  const sleep = (ms: number) => {
    nowMs += ms
    return Promise.resolve()
  }
  const clock = { now: () => new Date(nowMs), sleep }
  const manner = (mishaps: NumberedMishaps): RunOptions => ({
    ...clock,
    client: { send: service.connect(new Map(mishaps)), sleep, now: () => nowMs, random: () => 0.5 },
  })
  return {
    ...project,
    clock,
    sync: (options) => project.sync({ ...manner([]), ...options }),
    plan: (options) => project.plan({ ...manner([]), ...options }),
    meet: async (mishaps, options) => {
      try {
        return await project.sync({ ...manner(mishaps), ...options })
      } catch (error) {
        if (!(error instanceof Killed || error instanceof KbError)) throw error
        // What was under way beside the request that was killed runs into the kill, too.
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
        return undefined
      }
    },
    wait: () => {
      nowMs += 3_600_000
    },
  }
}

/** A service of these habits, and a checkout that was synced to it. */
export async function startSyncedInMemory(
  habits: ServiceHabits,
  files: Files,
): Promise<{ readonly service: MemoryService; readonly checkout: MemoryCheckout }> {
  const service = createMemoryService(habits)
  const checkout = createMemoryCheckout(service, files)
  await checkout.sync()
  service.catchUp()
  checkout.wait()
  service.forget()
  return { service, checkout }
}

/** What the service holds, as `slug: title: words`. */
export function heldBy({ articles }: Pick<MemoryService, 'articles'>): string[] {
  return articles()
    .map(({ slug, title, content }) => `${slug}: ${title}: ${wordsOf(content)}`)
    .toSorted()
}

const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Requests that may change something. */
export function writesTo({ requests }: Pick<MemoryService, 'requests'>): string[] {
  return requests.filter((each) => !/^(GET|OPTIONS)/.test(each))
}
