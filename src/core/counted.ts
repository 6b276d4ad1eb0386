import { grouped } from './grouped.ts'

/** `1 article`, `1,200 articles`. @param plural where it is more than an `s` */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`
}
