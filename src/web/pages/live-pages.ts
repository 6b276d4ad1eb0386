// What the pages show beyond reading while someone writes. Updates come by GET /_kb/events, editors are opened by
// POST /_kb/open; both are answered by who serves the pages.
import type { Diagnostic } from '../../core/model/diagnostic.ts'

export interface LivePages {
  /** Proves that a request was made by one of our own pages; made again for each run. */
  readonly token: string
  /** All problems that there are in the files now. */
  readonly problems: () => readonly Diagnostic[]
}
