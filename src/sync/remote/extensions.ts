import type { ApiClient } from '../../api/client/create-client.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import { NO_CAPABILITIES, type TargetCapabilities, readCapabilities } from '../plan/target-capabilities.ts'

/** What a target announced, and when, in milliseconds since 1970. */
export interface Announcement {
  readonly names: readonly string[]
  readonly askedMs: number
}

/** What a target offers beyond the documented interface; asked for only when a write would use it. */
export interface Extensions {
  /**
   * At most one request in each run. A target that gives no answer offers what it did when it last gave one; one that
   * offered nothing is asked again a day later.
   */
  readonly ask: () => Promise<TargetCapabilities>
  /** What the target announced; undefined until it was asked. */
  readonly known: () => Announcement | undefined
}

/** Long enough to spare a request for each edit, and short enough that what a target learns is used the next day. */
const REMEMBERED_MS = 86_400_000

/**
 * What is offered is asked for in each run: it has to be there when it is used.
 *
 * @param options `verify`: trusts no memory
 */
export function createExtensions(
  client: Pick<ApiClient, 'fetchExtensions'>,
  { extensions, extensionsAskedMs = -Infinity }: Pick<TargetState, 'extensions' | 'extensionsAskedMs'>,
  { nowMs, verify }: { readonly nowMs: number; readonly verify: boolean },
): Extensions {
  let asked: Promise<TargetCapabilities> | undefined
  let known: Announcement | undefined
  const ageMs = nowMs - extensionsAskedMs
  // A clock that was restored makes no memory last longer.
  const isFresh = !verify && ageMs >= 0 && ageMs < REMEMBERED_MS

  async function askOnce(): Promise<TargetCapabilities> {
    const remembered = readCapabilities(extensions ?? [])
    if (isFresh && !remembered.update && !remembered.languages) return NO_CAPABILITIES
    const names = await client.fetchExtensions()
    if (names === undefined) return remembered
    known = { names, askedMs: nowMs }
    return readCapabilities(names)
  }

  return { ask: () => (asked ??= askOnce()), known: () => known }
}
