/** How many runs a test that draws by lot makes, and which. */
export interface Runs {
  readonly numRuns: number
  readonly seed: number
}

/**
 * How many runs a test makes, and the seed: the same in every run of the tests, so that what fails once fails again.
 * `variable` names a number of runs, lower or higher; `RUNS` is a factor for all tests whose variable is not set, such as
 * 0.2 or 10; `SEED` names another seed.
 */
export function readRuns(
  variable: 'HISTORIES' | 'FUZZ' | 'KILLS' | 'RESTORE_KILLS' | 'SYNC_KILLS' | 'WATCH_KILLS',
  usual: number,
): Runs {
  const factor = Number(process.env['RUNS'] ?? 1)
  return {
    numRuns: Number(process.env[variable] ?? Math.max(1, Math.round(usual * factor))),
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
