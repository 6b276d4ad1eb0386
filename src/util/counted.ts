import { grouped } from './grouped.ts'

/** `1 article`, `1,200 articles`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}
