import { setImmediate as turn } from 'node:timers/promises'

/** Work in short steps, with its result. */
export type Steps<Result> = Generator<undefined, Result>

/** Maximum time that the work blocks everything else, in addition to the current step. */
const SLICE_MS = 10

/** Runs all steps without a pause. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Runs all steps, in slices between which everything else continues. */
export async function runStepsInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() < sliceEnd) continue
    await turn()
    sliceEnd = performance.now() + SLICE_MS
  }
}
