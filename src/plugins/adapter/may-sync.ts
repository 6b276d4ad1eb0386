import ci from 'ci-info'
import { readEnvironment, readSwitch } from '../../core/config/resolve-target.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The CI environment of a build. */
export interface BuildPlace {
  readonly isCI: boolean
  /** True for a build of a proposed change; null if unknown. */
  readonly isPR: boolean | null
}

type SyncPermit =
  | { readonly kind: 'allowed' }
  /** `reason` follows "not synced: ". */
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Variables of proposed changes that ci-info does not detect: builds that a change can start with the project's
 * secrets, and branch previews by hosts.
 */
const PROPOSALS: Readonly<Record<string, readonly string[]>> = {
  GITHUB_EVENT_NAME: ['pull_request_target', 'merge_group'],
  VERCEL_ENV: ['preview', 'development'],
  CONTEXT: ['deploy-preview', 'branch-deploy'],
}

/**
 * Decides whether a build that is set to sync may do so: KB_SYNC decides; otherwise only in CI, and not for a pull
 * request, whose articles are not accepted yet.
 *
 * @throws KbError ENVIRONMENT_INVALID
 */
export function maySync(env: Environment, place: BuildPlace = ci): SyncPermit {
  const { KB_SYNC } = env
  const reason = KB_SYNC ? (readSwitch(KB_SYNC) ? undefined : 'KB_SYNC is 0') : whyNotHere(env, place)
  if (reason !== undefined) return { kind: 'refused', reason }
  // Only here, because a build that sends nothing must not fail because of an unrelated variable.
  readEnvironment(env)
  return { kind: 'allowed' }
}

function whyNotHere(env: Environment, { isCI, isPR }: BuildPlace): string | undefined {
  if (!isCI) return 'this is not a CI build; set KB_SYNC=1 to send anyway'
  if (isPR === true) return 'this builds a pull request'
  const proposal = Object.entries(PROPOSALS).find(([name, values]) => values.includes(env[name] ?? ''))
  if (proposal === undefined) return undefined
  const [name] = proposal
  return `this builds a preview (${name} is ${env[name]}); set KB_SYNC=1 to send anyway`
}
