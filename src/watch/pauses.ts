/** How long a watch waits, in milliseconds. */
export interface Pauses {
  /** After the last touch: when it is over, nothing is under way, as far as anyone can tell. */
  readonly quietMs: number
  /** After the first failure, before it is tried again; the pauses that follow grow from this one. */
  readonly retryMs: number
  /** Until a user is told that another kb is at work; as a rule, that is through before. */
  readonly lockedMs: number
}

export const PAUSES: Pauses = { quietMs: 1000, retryMs: 1000, lockedMs: 2000 }
