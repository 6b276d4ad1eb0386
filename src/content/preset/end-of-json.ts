/** Offset behind the object that `text` begins with; undefined where it is never closed. */
export function endOfJson(text: string): number | undefined {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}]/gs)) {
    if (token === '{') depth++
    if (token === '}' && --depth === 0) return index + 1
  }
  return undefined
}
