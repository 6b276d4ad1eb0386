import { escapeControl } from '../../core/escape-control.ts'
import type { TerminalStyle } from '../terminal/terminal.ts'
import { cutToColumns, wrapToColumns } from '../../core/text-columns.ts'

/**
 * Formats a unified diff for people as lines without line feeds: removed and added lines are whole, each on one line;
 * unchanged ones are cut. Omits headers before the first `@@`.
 *
 * @param indent before each line, included in the width
 * @param isProse wraps removed and added lines, with the sign on every line
 */
export function formatTextDiff(diff: string, style: TerminalStyle, indent = '', isProse = false): string[] {
  const { colors, columns } = style
  const width = columns - indent.length
  const widthOfChanges = isProse ? width : Number.POSITIVE_INFINITY
  const lines = diff.replace(/\n$/, '').split('\n')
  const first = lines.findIndex((line) => line.startsWith('@@'))
  return lines.slice(Math.max(first, 0)).flatMap((line) => {
    const [sign = ''] = line
    if (line.startsWith('@@')) return [`${indent}${colors.cyan(line)}`]
    if (sign === '-') return formatSigned(line, colors.red, widthOfChanges).map((each) => indent + each)
    if (sign === '+') return formatSigned(line, colors.green, widthOfChanges).map((each) => indent + each)
    return [`${indent}${colors.dim(cutToColumns(`  ${shown(line)}`, width))}`.trimEnd()]
  })
}

/** Formats a removed or added line: trailing white space as dots, continuation lines indented by two more spaces. */
export function formatSigned(line: string, paint: (text: string) => string, width: number): string[] {
  const [sign = ''] = line
  const visible = shown(line).replace(/\s+$/, (space) => '·'.repeat(space.length))
  const [first = '', ...rest] = wrapToColumns(visible, width - 4)
  return [`${sign} ${first}`, ...rest.map((each) => `${sign}   ${each}`)].map((each) => paint(each.trimEnd()))
}

function shown(line: string): string {
  return escapeControl(line.slice(1).replaceAll('\t', '    '))
}
