import { formatNumber } from './format-number.ts'

/** `1 article`, `1,200 articles`. @param plural for other endings than `s` */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`
}
