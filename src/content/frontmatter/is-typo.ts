import { distance } from 'fastest-levenshtein'

/** Whether `written` is `meant` but for letter case, `-` and `_`, one letter, or two that changed places. */
export function isTypo(written: string, meant: string): boolean {
  const [a, b] = [fold(written), fold(meant)]
  return distance(a, b) <= 1 || hasSwap(a, b)
}

function fold(key: string): string {
  return key.toLowerCase().replaceAll(/[-_]/g, '')
}

function hasSwap(a: string, b: string): boolean {
  const at = Array.from(a).findIndex((char, index) => char !== b[index])
  return a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2) === b
}
