/**
 * What a restore has done: the backup was `copied` and checked, what is there now was `kept`, the database was
 * `locked`, one table after the other `replaced`, and all of it `committed`.
 */
export type RestoreStep = 'copied' | 'kept' | 'locked' | `replaced ${string}` | 'committed'

export interface RestoreOptions {
  /** The live database; made where there is none. */
  readonly file: string
  /** The backup to be restored. */
  readonly source: string
  /** Where what is there now is kept first; undefined where nothing is. */
  readonly keepAs: string | undefined
  /** Name of the site whose id stays. */
  readonly defaultSite: string
  /** Told of every step that is through. */
  readonly onStep: (step: RestoreStep) => void
}
