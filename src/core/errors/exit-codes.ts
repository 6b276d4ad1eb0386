/** Exit codes of `kb`. Where several apply, the first of `usage`, `target`, `failed`, `conflict` wins. */
export const EXIT = {
  done: 0,
  /** Problems in the content, failed operations, a guard or threshold met. */
  failed: 1,
  /** Wrong usage, configuration or environment. */
  usage: 2,
  /** The target could not be reached or refused us. */
  target: 3,
  /** Everything else was done; conflicts are left. */
  conflict: 4,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
