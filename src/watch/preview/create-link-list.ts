import { setTimeout as sleep } from 'node:timers/promises'
import type { BrokenLink } from '../live-sync/list-broken-links.ts'

/** A list holds so long: a page that is open asks with every change. */
const FRESH_MS = 10_000

/** A page waits no longer for a target that does not answer. */
const PATIENCE_MS = 3000

export interface LinkList {
  /** What the target last said; asks it where that is too old. Never throws: the page says elsewhere that it is down. */
  readonly read: (ask: (() => Promise<readonly BrokenLink[]>) | undefined) => Promise<readonly BrokenLink[]>
}

/** The target's broken links as pages show them: asked for seldom, and one question at a time. */
export function createLinkList(
  now: () => Date,
  patience: () => Promise<unknown> = () => sleep(PATIENCE_MS, undefined, { ref: false }),
): LinkList {
  let last: readonly BrokenLink[] = []
  let askedMs = -Infinity
  let asking: Promise<void> | undefined

  async function refresh(ask: () => Promise<readonly BrokenLink[]>): Promise<void> {
    try {
      last = await ask()
      askedMs = now().getTime()
    } catch {
      // What it said before is shown.
    } finally {
      asking = undefined
    }
  }

  return {
    read: async (ask) => {
      if (ask === undefined || now().getTime() - askedMs < FRESH_MS) return last
      asking ??= refresh(ask)
      await Promise.race([asking, patience()])
      return last
    },
  }
}
