import type { Settings } from '../config/settings.ts'

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
   * The configuration with all defaults filled in. Asked once in each call.
   *
   * @throws KbError USAGE (no such folder), CONFIG_UNREADABLE, CONFIG_INVALID
   */
  readonly loadSettings: () => Promise<Settings>
}
