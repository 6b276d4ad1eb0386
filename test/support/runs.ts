/** How many runs a test that draws by lot makes, and which. */
export interface Runs {
  readonly numRuns: number
  readonly seed: number
}

/**
 * The number of runs from the environment, where that is more, and the seed: the same in every run of the tests, so that
 * what fails once fails again. `SEED` names another one.
 */
export function readRuns(variable: 'HISTORIES' | 'FUZZ' | 'WATCH_KILLS', fallback: number): Runs {
  return {
    numRuns: Math.max(Number(process.env[variable] ?? 0), fallback),
    seed: Number(process.env['SEED'] ?? 1),
  }
}

/** How many entries a list has that is longer than anybody would keep. */
export function readReportEntries(): number {
  return Number(process.env['REPORT_ENTRIES'] ?? 60_000)
}

/** Longest time for a test of that many runs. */
export function timeoutOf({ numRuns }: Runs, perRunMs: number): { readonly timeout: number } {
  return { timeout: 60_000 + numRuns * perRunMs }
}
