import type { WatchSummary } from '../../kb/watch-events.ts'
import { counted } from '../../core/counted.ts'
import { printableLine } from '../../core/printable.ts'

/** How many files are named. */
const NAMED = 3

/** The last lines: what was done, and what is left. */
export function endLines(summary: WatchSummary): string[] {
  const { target, sent, pending, heldBack, failures, isComplete, failure } = summary
  const left = [
    ...(isComplete || failure !== undefined ? [] : ['what was not compared with the target to the end']),
    ...(pending > 0 ? [`${counted(pending, 'changed file')} not sent`] : []),
    ...(heldBack.length > 0
      ? [`${counted(heldBack.length, 'article')} with errors (${naming(heldBack)})`]
      : []),
    ...(failures.length > 0
      ? [
          `${counted(failures.length, 'article')} that could not be sent (${naming(failures.map(({ source }) => source))})`,
        ]
      : []),
  ]
  const head = `Stopped: ${counted(sent, 'article')} sent to ${printableLine(target)}.`
  if (left.length === 0 && failure === undefined) return [`${head} Nothing is left to do.`]
  const reason = failure === undefined ? [] : [`It could not go on: ${printableLine(failure.message)}`]
  const rest =
    left.length === 0 ? [] : [`Left: ${left.join(', ')}. The next kb watch or kb sync goes on from there.`]
  return [head, ...reason, ...rest]
}

function naming(names: readonly string[]): string {
  const rest = names.length > NAMED ? ', …' : ''
  return `${printableLine(names.slice(0, NAMED).join(', '))}${rest}`
}
