/** Number of Unicode code points in `text`. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Cuts `text` to at most `limit` code points, at a word boundary where there is one, and marks the cut with `…`
 * (which counts). Text within the limit is returned as it is.
 */
export function cutAtWord(text: string, limit: number): string {
  const points = Array.from(text)
  if (points.length <= limit) return text
  const head = points.slice(0, limit - 1).join('')
  const boundary = head.search(/\s+\S*$/u)
  const nextIsSpace = /\s/u.test(points[limit - 1] ?? '')
  const kept = nextIsSpace || boundary <= 0 ? head : head.slice(0, boundary)
  return `${kept.trimEnd()}…`
}
