import type { AppliedFix } from '../../inspect/check/fix/apply-fixes.ts'
import { counted } from '../../core/counted.ts'
import { printableLine } from '../../core/printable.ts'
import type { Terminal } from '../terminal.ts'
import { cutToColumns } from '../../core/text-columns.ts'

/** What `kb check --fix` has repaired: place, code, and what became of the text. */
export function formatFixed(
  fixed: readonly AppliedFix[],
  { colors, columns }: Pick<Terminal, 'colors' | 'columns'>,
): string {
  return fixed
    .map((fix) => {
      const { file, line, column, code } = fix
      const place = `${printableLine(file)}:${line}:${column}`
      const what = cutToColumns(describe(fix), columns - 2)
      return `${colors.bold(place)} ${colors.green('fixed')} ${colors.dim(code)}\n  ${what}\n`
    })
    .join('')
}

function describe({ changes, message }: AppliedFix): string {
  const [change] = changes
  if (change === undefined || changes.length > 1)
    return `${printableLine(message)} (${counted(changes.length, 'change')})`
  if (change.before.trim() === '') return printableLine(message)
  return `${printableLine(change.before)} → ${printableLine(change.after)}`
}
