/** How many runs a test that draws by lot makes, and which. */
export interface Runs {
  readonly numRuns: number
  readonly seed: number
}

/**
 * How many runs a test makes, and the seed: the same in every run of the tests, so that what fails once fails again.
 * `variable` names a number of runs, lower or higher, or with a plus sign the fewest; `RUNS` is a factor for all tests whose variable is not set, such as
 * 0.2 or 10, and 0.4 where nothing is said; `SEED` names another seed.
 *
 * @param usual how many where `RUNS` is 1
 */
export function readRuns(
  variable:
    | 'HISTORIES'
    | 'FUZZ'
    | 'DOCUMENTS'
    | 'PAYLOADS'
    | 'LOOKS'
    | 'MOMENTS'
    | 'KILLS'
    | 'RESTORE_KILLS'
    | 'SYNC_KILLS'
    | 'WATCH_KILLS'
    | 'REPORT_ARTICLES',
  usual: number,
): Runs {
  const wanted = Math.max(1, Math.round(usual * readFactor()))
  const said = process.env[variable]
  return {
    numRuns: said?.endsWith('+') === true ? Math.max(wanted, Number.parseInt(said)) : Number(said ?? wanted),
    seed: readSeed(),
  }
}

export function readSeed(): number {
  return Number(process.env['SEED'] ?? 1)
}

/** However many of its multiples are taken, their fractions are spread evenly. */
const GOLDEN_RATIO = 0.618_033_988_749_895

/**
 * Up to as many of these moments as runs are to be made, evenly spread; all where there are no more of them. Tests that
 * share the work are numbered by `turn`: each begins at another moment, and these, too, are spread over all that there are.
 */
export function shareOf<T>(moments: readonly T[], { numRuns, seed }: Runs, turn: number): T[] {
  // Odd, so that what alternates from one moment to the next is met both ways.
  const stride = Math.min(moments.length, Math.ceil(moments.length / numRuns) | 1)
  const first = Math.floor(((Math.abs(seed + turn) * GOLDEN_RATIO) % 1) * stride)
  return moments.filter((_, index) => index % stride === first)
}

function readFactor(): number {
  return Number(process.env['RUNS'] ?? 0.4)
}

/** How many entries a list has that is longer than anybody would keep. */
export function readReportEntries(): number {
  return Number(process.env['REPORT_ENTRIES'] ?? Math.round(20_000 * readFactor()))
}

/** What Node.js counts in 32 bits; a longer timer is over at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Longest time for a test of that many runs. */
export function timeoutOf({ numRuns }: Runs, perRunMs: number): { readonly timeout: number } {
  return { timeout: Math.min(60_000 + numRuns * perRunMs, LONGEST_TIMER_MS) }
}
