import type { KbWatchEvent, WatchedOperation } from '../../kb/watch-events.ts'
import { labelOf } from '../../core/model/plan.ts'
import { formatNumber } from '../../core/format-number.ts'
import { groupBy } from '../../core/group-by.ts'
import { operationName } from '../results/format-sync-result.ts'
import { readableUrl } from '../../core/parse-url.ts'
import { wordOfOperation } from '../results/list-entries.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { formatDuration, LISTED_LINES, type WatchLine } from './watch-line.ts'

type Sent = Pick<Extract<KbWatchEvent, { readonly kind: 'sent' }>, 'operations' | 'durationMs'>

/** Formats a line per operation; for many of one kind (a checkout, a renamed folder), the first ones and a count. */
export function sentLines(
  { operations, durationMs }: Sent,
  isWhole: boolean,
  colors: Terminal['colors'],
): WatchLine[] {
  const duration = formatDuration(durationMs)
  const groups = groupBy(operations, (operation) => `${wordOfOperation(operation, false)} ${operation.kind}`)
  return [...groups.values()].flatMap((group) => {
    const isAll = isWhole || group.length <= LISTED_LINES + 1
    const shown = isAll
      ? group
      : group.filter((operation, index) => index < LISTED_LINES || mustBeSeen(operation))
    const hidden = group.length - shown.length
    const lines = shown.map((operation) => ({ ...lineOf(operation, colors), duration }))
    const [first] = lines
    if (hidden === 0 || first === undefined) return lines
    return [
      ...lines,
      {
        ...first,
        name: `${formatNumber(hidden)} more (--verbose lists all)`,
        url: undefined,
        reason: undefined,
        more: [],
      },
    ]
  })
}

function mustBeSeen({ outcome, action, backup }: WatchedOperation): boolean {
  return outcome === 'failed' || action === 'conflict' || backup !== undefined
}

function lineOf(operation: WatchedOperation, colors: Terminal['colors']): WatchLine {
  const { url, reason, backup } = operation
  return {
    word: wordOfOperation(operation, false),
    paint: paintOf(operation, colors),
    name: operationName(operation),
    url: operation.outcome === 'done' && url !== undefined ? readableUrl(url) : undefined,
    reason,
    more: backup === undefined ? [] : [`kept in ${backup}`],
  }
}

function paintOf(operation: WatchedOperation, colors: Terminal['colors']): WatchLine['paint'] {
  if (operation.outcome === 'failed') return colors.red
  const paints = {
    create: colors.green,
    update: colors.green,
    replace: colors.green,
    move: colors.green,
    delete: colors.yellow,
    conflict: colors.yellow,
    skip: colors.dim,
  }
  return paints[labelOf(operation)]
}
