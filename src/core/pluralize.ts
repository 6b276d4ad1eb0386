import { formatNumber } from './format-number.ts'

/** Formats a count with its noun: `1 article`, `1,200 articles`. `plural` is for nouns without a final `s`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`
}
