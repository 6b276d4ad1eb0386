import { onTestFinished } from 'vitest'
import { type ApiClient, type ClientOptions, createClient } from '../../../src/api/client/create-client.ts'

export const KEY = 'kb_secret_0123456789'

export interface FakeClock {
  readonly now: () => number
  /** Advances the clock without waiting. */
  readonly sleep: (ms: number) => Promise<void>
  /** The durations of all sleeps, in order. */
  readonly slept: readonly number[]
}

export function createFakeClock(): FakeClock {
  const slept: number[] = []
  let time = Date.parse('2026-03-01T12:00:00Z')
  return {
    now: () => time,
    sleep: (ms) => {
      slept.push(ms)
      time += ms
      return Promise.resolve()
    },
    slept,
  }
}

/** A client with a clock that never waits, closed at the end of the test. */
export function openClient(url: string, options: Partial<ClientOptions> = {}): ApiClient {
  const { now, sleep } = createFakeClock()
  const client = createClient({
    url,
    apiKey: KEY,
    timeoutMs: 10_000,
    retries: 3,
    concurrency: 8,
    random: () => 0,
    now,
    sleep,
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

export const ARTICLE = {
  title: 'Reset your password',
  slug: 'reset-password',
  categories: [{ value: 'c1' }],
  excerpt: 'How to reset it.',
  ordering: 1,
  status: 'draft' as const,
  content: '<p>Hello</p>',
}
