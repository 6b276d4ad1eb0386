import ci from 'ci-info'
import { readEnvironment, readSwitch } from '../../core/config/resolve-target.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a build runs. */
export interface BuildPlace {
  readonly isCI: boolean
  /** Whether it builds a change that is only proposed; null where no one can tell. */
  readonly isPR: boolean | null
}

type SyncPermit =
  | { readonly kind: 'allowed' }
  /** `reason` goes behind "not synced: ". */
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * What ci-info does not take for a proposal: builds that a change may start with the secrets of the project, and previews
 * of branches by hosts.
 */
const PROPOSALS: Readonly<Record<string, readonly string[]>> = {
  GITHUB_EVENT_NAME: ['pull_request_target', 'merge_group'],
  VERCEL_ENV: ['preview', 'development'],
  CONTEXT: ['deploy-preview', 'branch-deploy'],
}

/**
 * Whether a build that is set to sync may do so here and now: KB_SYNC decides, else it has to be a build in CI that is
 * not one of a pull request, whose articles no one has accepted yet.
 *
 * @throws KbError ENVIRONMENT_INVALID
 */
export function maySync(env: Environment, place: BuildPlace = ci): SyncPermit {
  const { KB_SYNC } = env
  const reason = KB_SYNC ? refusalOf(readSwitch(KB_SYNC)) : whyNotHere(env, place)
  if (reason !== undefined) return { kind: 'refused', reason }
  // Only here: a build that sends nothing is not failed for a variable of something else.
  readEnvironment(env)
  return { kind: 'allowed' }
}

function refusalOf(isAsked: boolean): string | undefined {
  return isAsked ? undefined : 'KB_SYNC is 0'
}

function whyNotHere(env: Environment, { isCI, isPR }: BuildPlace): string | undefined {
  if (!isCI) return 'this is not a CI build; set KB_SYNC=1 to send anyway'
  if (isPR === true) return 'this builds a pull request'
  const proposal = Object.entries(PROPOSALS).find(([name, values]) => values.includes(env[name] ?? ''))
  if (proposal === undefined) return undefined
  const [name] = proposal
  return `this builds a preview (${name} is ${env[name]}); set KB_SYNC=1 to send anyway`
}
