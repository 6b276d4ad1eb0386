import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { WatchLine } from './watch-line.ts'

/** Something to be printed of what happens while files are watched. */
export type WatchPiece =
  | { readonly kind: 'line'; readonly line: WatchLine }
  /** A sentence, broken into lines where it is too long. */
  | { readonly kind: 'prose'; readonly text: string }
  /** Problems in full, as kb check shows them. */
  | { readonly kind: 'problems'; readonly diagnostics: readonly Diagnostic[] }
