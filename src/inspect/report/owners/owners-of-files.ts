import type { Owner } from '../../../web/report/report.ts'

/** Who is to be asked about files. */
export interface OwnersOfFiles {
  readonly ownersOf: (path: string) => readonly Owner[]
  /** Why nobody is known, or not everybody: sentences for the reader. */
  readonly notes: readonly string[]
}

/** Where nobody is known, and why. */
export function nobodyKnown(note: string): OwnersOfFiles {
  return { ownersOf: () => [], notes: [note] }
}
