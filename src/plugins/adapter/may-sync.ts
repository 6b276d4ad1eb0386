import ci from 'ci-info'
import { readEnvironment } from '../../config/resolve-target.ts'

/** Where a build runs. */
export interface BuildPlace {
  readonly isCI: boolean
  /** Whether it builds a change that is only proposed; null where nobody can tell. */
  readonly isPR: boolean | null
}

export type SyncPermit =
  | { readonly kind: 'allowed' }
  /** `reason` goes behind "not synced: ". */
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Whether a build that is set to sync may do so here and now: KB_SYNC decides, else it has to be a build in CI that is
 * not one of a pull request, whose articles nobody has accepted yet.
 *
 * @throws KbError ENVIRONMENT_INVALID
 */
export function maySync(
  env: Readonly<Record<string, string | undefined>>,
  { isCI, isPR }: BuildPlace = ci,
): SyncPermit {
  const { sync } = readEnvironment(env)
  if (sync === true) return { kind: 'allowed' }
  if (sync === false) return { kind: 'refused', reason: 'KB_SYNC is 0' }
  if (!isCI) return { kind: 'refused', reason: 'this is no CI; KB_SYNC=1 sends from here' }
  if (isPR === true) return { kind: 'refused', reason: 'this builds a pull request' }
  return { kind: 'allowed' }
}
