/** The result of one check of a target. */
export type Observation =
  | { readonly kind: 'works'; readonly status: number | null }
  /** A reader would not reach it. */
  | { readonly kind: 'broken'; readonly status: number | null; readonly reason: string }
  /** Not accessible to us, but possibly to a reader: a page that requires signing in, a private address. */
  | { readonly kind: 'closed'; readonly status: number | null; readonly reason: string }
  /** The host asks to retry later. */
  | {
      readonly kind: 'busy'
      readonly status: number | null
      readonly reason: string
      readonly retryAfterMs: number
    }

/** Failures that occur for every host if a network blocks this machine, with their code at the end of the reason. */
const BEFORE_A_HOST =
  /\((?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\)$/

/** True if no host was reached, so that the failure may be that of this machine. */
export function isUnreached(observation: Observation): boolean {
  return observation.kind !== 'works' && observation.status === null && BEFORE_A_HOST.test(observation.reason)
}
