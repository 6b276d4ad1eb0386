import { setImmediate as turn } from 'node:timers/promises'

/** Work in steps, each of which takes little time, and what comes of it. */
export type Steps<Result> = Generator<undefined, Result>

/** How long it may keep everyone else waiting, beyond the step that it is in. */
const SLICE_MS = 10

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Takes all steps, in slices between which everything else has its turn. */
export async function finishInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() < sliceEnd) continue
    await turn()
    sliceEnd = performance.now() + SLICE_MS
  }
}
