export interface AnswerCache {
  find(mark: number, key: string): string | undefined
  /** Keeps `answer` and returns it. */
  keep(mark: number, key: string, answer: string): string
}

const LARGE_PARTS = 64

/**
 * Answers that were made before. They hold as long as the store's change mark stays the same: whatever is committed,
 * by this process or another, empties the cache.
 *
 * @param limit the oldest answers go when the sum of their lengths exceeds it; one that would take a large part of it is
 *   not kept at all
 */
export function createAnswerCache(limit: number): AnswerCache {
  const answers = new Map<string, string>()
  let heldMark: number | undefined
  let held = 0

  function attune(mark: number): void {
    if (mark === heldMark) return
    answers.clear()
    held = 0
    heldMark = mark
  }

  function makeRoom(): void {
    for (const [key, answer] of answers) {
      if (held <= limit) return
      answers.delete(key)
      held -= answer.length
    }
  }

  return {
    find(mark, key) {
      attune(mark)
      return answers.get(key)
    },
    keep(mark, key, answer) {
      attune(mark)
      if (answer.length > limit / LARGE_PARTS) return answer
      held += answer.length - (answers.get(key)?.length ?? 0)
      answers.set(key, answer)
      makeRoom()
      return answer
    },
  }
}
