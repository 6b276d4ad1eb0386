/** Exit codes of `kb`. If several apply, the first of `usage`, `target`, `failed`, `conflict` wins. */
export const EXIT = {
  done: 0,
  /** Problems in the content, failed operations, or an exceeded limit or threshold. */
  failed: 1,
  /** Invalid usage, configuration or environment. */
  usage: 2,
  /** The target was unreachable or rejected the requests. */
  target: 3,
  /** Everything else is done, but there are conflicts. */
  conflict: 4,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
