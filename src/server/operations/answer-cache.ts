import { type JsonResponse, jsonResponse } from './responses.ts'

/** A response that takes more than this part of the cache is not cached. */
const LARGE_PARTS = 64

/** Enough for about ten thousand articles. */
const CACHE_BYTES = 64 * 1024 * 1024

const encoder = new TextEncoder()

export type AnswerCache = ReturnType<typeof createAnswerCache>

/** Returns the cache key of the response for an article of a site. Keys of different sites never match. */
export function answerKey(siteId: string, id: string, lang = ''): string {
  return `${siteId}/${lang}/${id}`
}

/**
 * Creates a cache of responses, as bytes: encoding a response takes as long as all other steps of a read. They are
 * valid while the store's exact mark is the same: any commit, by this process or another, empties the cache. Without a
 * mark, nothing is cached. The oldest responses are dropped first, and one that takes a large part of the cache is not
 * cached.
 */
export function createAnswerCache() {
  const answers = new Map<string, { readonly response: JsonResponse; readonly length: number }>()
  let heldMark: number | undefined
  let heldBytes = 0

  function attune(mark: number | undefined): void {
    if (mark === heldMark) return
    answers.clear()
    heldBytes = 0
    heldMark = mark
  }

  function makeRoom(): void {
    for (const [key, answer] of answers) {
      if (heldBytes <= CACHE_BYTES) return
      answers.delete(key)
      heldBytes -= answer.length
    }
  }

  return {
    /** Like `find`, but does not empty the cache for another mark. */
    peek: (mark: number, key: string) => (mark === heldMark ? answers.get(key)?.response : undefined),
    find(mark: number | undefined, key: string): JsonResponse | undefined {
      attune(mark)
      return answers.get(key)?.response
    },
    /** Caches `answer` with its headers, and returns the response. */
    keep(
      mark: number | undefined,
      key: string,
      answer: string,
      headers: JsonResponse['headers'],
    ): JsonResponse {
      attune(mark)
      const bytes = encoder.encode(answer)
      const response = jsonResponse(bytes, headers)
      if (mark === undefined || bytes.length > CACHE_BYTES / LARGE_PARTS) return response
      heldBytes += bytes.length - (answers.get(key)?.length ?? 0)
      answers.set(key, { response, length: bytes.length })
      makeRoom()
      return response
    },
  }
}
