// Features of the pages for authors. Updates come from GET /_kb/events, and POST /_kb/open opens editors; the server of
// the pages handles both.
import type { Diagnostic } from '../../core/model/diagnostic.ts'

export interface LivePages {
  /** Proves that a request comes from one of our pages; created for each run. */
  readonly token: string
  /** All current problems of the files. */
  readonly problems: () => readonly Diagnostic[]
}
