/** Returns the result of `work`, or `fallback` if it throws. */
export function tryTo<Value, Fallback = undefined>(work: () => Value, fallback?: Fallback): Value | Fallback {
  try {
    return work()
  } catch {
    return fallback as Fallback
  }
}
