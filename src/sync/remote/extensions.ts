import type { ApiClient } from '../../api/client/create-client.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import { NO_CAPABILITIES, type TargetCapabilities, readCapabilities } from '../plan/target-capabilities.ts'

/** The extensions that a target announced, and the Unix time in milliseconds. */
export interface Announcement {
  readonly names: readonly string[]
  readonly askedMs: number
}

/** The extensions of a target, requested only when a write would use them. */
export interface Extensions {
  /**
   * Requests the extensions at most once per run. If the target does not answer, its last announcement counts. A target
   * that announced no extensions is asked again after a day.
   */
  readonly ask: () => Promise<TargetCapabilities>
  /** The target's announcement; undefined until it was requested. */
  readonly known: () => Announcement | undefined
}

/** Long enough to save a request per edit, and short enough that a new extension is used the next day. */
const REMEMBERED_MS = 86_400_000

/**
 * Announced extensions are requested again in each run, because they must exist when they are used.
 *
 * @param options `verify`: ignores the remembered announcement
 */
export function createExtensions(
  client: Pick<ApiClient, 'fetchExtensions'>,
  { extensions, extensionsAskedMs = -Infinity }: Pick<TargetState, 'extensions' | 'extensionsAskedMs'>,
  { nowMs, verify }: { readonly nowMs: number; readonly verify: boolean },
): Extensions {
  let asked: Promise<TargetCapabilities> | undefined
  let known: Announcement | undefined
  const ageMs = nowMs - extensionsAskedMs
  // A clock that was set back must not prolong that time.
  const isFresh = !verify && ageMs >= 0 && ageMs < REMEMBERED_MS

  async function askOnce(): Promise<TargetCapabilities> {
    const remembered = readCapabilities(extensions ?? [])
    if (isFresh && !Object.values(remembered).includes(true)) return NO_CAPABILITIES
    const names = await client.fetchExtensions()
    if (names === undefined) return remembered
    known = { names, askedMs: nowMs }
    return readCapabilities(names)
  }

  return { ask: () => (asked ??= askOnce()), known: () => known }
}

/** The extensions that were announced earlier in this run. */
export function rememberExtensions(announced: Announcement): Extensions {
  return { ask: () => Promise.resolve(readCapabilities(announced.names)), known: () => announced }
}
