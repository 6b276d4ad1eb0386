import type { Settings } from '../core/config/settings.ts'

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What every function of a `Kb` works on. */
export interface Project {
  /** Absolute path of the project's folder. */
  readonly cwd: string
  /** Configuration file, relative to `cwd`; undefined: kb.config.ts there, if any. */
  readonly configFile: string | undefined
  readonly env: Environment
  /**
   * The configuration with all defaults filled in. Asked once in each call, and by a watch whenever it was changed.
   *
   * @param onFiles is told the files that it consists of, whether or not they could be loaded
   * @throws KbError USAGE (no such folder), CONFIG_UNREADABLE, CONFIG_INVALID
   */
  readonly loadSettings: (onFiles?: (files: readonly string[]) => void) => Promise<Settings>
}
