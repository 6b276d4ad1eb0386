import type { WatchedTarget } from '../../kb/watch-events.ts'
import { printableLine } from '../../core/printable.ts'

/** `the built-in server`, `production (https://help.example.com)` */
export function nameTarget({ kind, name, url = '' }: WatchedTarget): string {
  if (kind === 'builtin') return 'the built-in server'
  return printableLine(name === url ? url : `${name} (${url})`)
}
