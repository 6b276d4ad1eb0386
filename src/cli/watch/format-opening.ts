import type { KbWatchEvent, WatchedTarget } from '../../kb/watch-events.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'

type Started = Extract<KbWatchEvent, { readonly kind: 'started' }>

type Offers = Extract<KbWatchEvent, { readonly kind: 'offers' }>

/** What a replace asks of the target: lists, looks at both versions, the new one, the end of the old one. */
const REPLACE_REQUESTS = 11

/** The first lines: what is watched, where it goes, and where the pages are. */
export function openingLines(started: Started): string[] {
  return [
    `Watching ${escapeControlInLine(started.content)}, sending to ${nameTarget(started.target)}.`,
    ...(started.target.kind === 'builtin'
      ? []
      : ['What you save is what readers see there, as soon as it has no errors.']),
    ...passedOverLines(started),
    ...pageLines(started),
  ]
}

/** Where the pages are. */
export function pageLines({ pages, portTaken }: Pick<Started, 'pages' | 'portTaken'>): string[] {
  if (pages === undefined) return []
  return [`Pages: ${pages}${portTaken === undefined ? '' : ` (port ${portTaken} is in use)`}`]
}

/** What each save costs on a remote target. */
export function offersLine({ updatesInPlace }: Offers): string {
  return updatesInPlace
    ? 'The target changes articles in place: 2 requests for each save.'
    : `The target cannot change articles in place: each save replaces the article: up to ${REPLACE_REQUESTS} requests, and it gets another id.`
}

function passedOverLines({ passedOver }: Started): string[] {
  if (passedOver === undefined) return []
  const { name } = passedOver
  return [
    `The target ${nameTarget(passedOver)} of the configuration is left alone; kb watch --target ${escapeControlInLine(name)} sends there.`,
  ]
}

/** `the built-in server`, `production (https://help.example.com)` */
function nameTarget({ kind, name, url = '' }: WatchedTarget): string {
  if (kind === 'builtin') return 'the built-in server'
  return escapeControlInLine(name === url ? url : `${name} (${url})`)
}
