import type { KbWatchEvent } from '../../kb/watch-events.ts'
import { counted } from '../../core/counted.ts'
import type { EventStyle, ToldBefore } from './event-style.ts'
import type { WatchPiece } from './watch-piece.ts'

/**
 * New problems in full, what is mended, and what is held back. Warnings that were there when the watch began are the
 * business of kb check: they are counted, and shown with `verbose` only.
 */
export function describeProblems(
  { appeared, mended, heldBack, everythingHeldBy }: Extract<KbWatchEvent, { readonly kind: 'problems' }>,
  told: ToldBefore,
  { colors, quiet, verbose }: EventStyle,
): WatchPiece[] {
  const isShown = (severity: string) => severity === 'error' || verbose || (told.isReady && !quiet)
  const shown = appeared.filter(({ severity }) => isShown(severity))
  const hidden = appeared.length - shown.length
  const line = (
    word: string,
    paint: (text: string) => string,
    name: string,
    reason?: string,
  ): WatchPiece => ({
    kind: 'line',
    line: { word, paint, name, reason },
  })
  const sourceOf = (file: string) => (file.startsWith(told.content) ? file.slice(told.content.length) : file)
  return [
    ...(shown.length === 0 ? [] : [{ kind: 'problems' as const, diagnostics: shown }]),
    ...(hidden === 0 || quiet
      ? []
      : [
          {
            kind: 'prose' as const,
            text: `${counted(hidden, 'warning')}: kb check shows ${hidden === 1 ? 'it' : 'them'}.`,
          },
        ]),
    ...mended.map((file) => line('fixed', colors.green, sourceOf(file))),
    ...(everythingHeldBy.length === 0 || everythingHeldBy.join() === told.everythingHeldBy.join()
      ? []
      : [
          line('held', colors.yellow, 'everything', `nothing is sent until ${untilMended(everythingHeldBy)}`),
        ]),
    ...heldBack
      .filter((source) => !told.heldBack.has(source))
      .map((source) => line('held', colors.yellow, sourceOf(source), 'not sent until it is fixed')),
  ]
}

/** `_categories.yml and _tags.yml are fixed` */
export function untilMended(files: readonly string[]): string {
  return `${files.join(' and ')} ${files.length === 1 ? 'is' : 'are'} fixed`
}
