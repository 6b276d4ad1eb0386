import type { Listing } from '../../../inspect/report/report.ts'
import { grouped } from '../../../core/grouped.ts'
import type { Section } from '../../markdown/limit-sections.ts'

/** Rows of what is wrong, of its hosts, and of all else. */
export const LISTED = { wrong: 100, other: 25, hosts: 10 } as const

export interface MarkdownColumn {
  readonly title: string
  /** Numbers stand at the right. */
  readonly align?: 'right'
}

export interface MarkdownTable<T> extends Listing<T> {
  readonly title: string
  readonly columns: readonly (MarkdownColumn | string)[]
  /** Cells of a row, as Markdown. */
  readonly cells: (entry: T) => readonly string[]
  /** One entry, for a note about those that are left out. */
  readonly noun: string
  /** Several; by default the noun with an `s`. */
  readonly plural?: string
  /** How many of `total` an entry stands for; by default one. */
  readonly countOf?: (entry: T) => number
  /** Most rows. */
  readonly listed: number
}

/** A table, and a sentence on what it has no room for; nothing where there is no entry. */
export function tableSections<T>(table: MarkdownTable<T>): Section[] {
  const { title, columns, cells, noun, plural, countOf = () => 1, listed, total, entries } = table
  if (total === 0) return []
  const shown = entries.slice(0, listed)
  const hidden = total - shown.reduce((sum, entry) => sum + countOf(entry), 0)
  const whole = columns.map((column) => (typeof column === 'string' ? { title: column } : column))
  const names = row(whole.map((column) => column.title))
  const rule = row(whole.map(({ align }) => (align === 'right' ? '---:' : '---')))
  const head = `### ${title}\n\n${names}${rule}`
  const rows: Section = { head, items: shown.map((entry) => row(cells(entry))), noun, plural }
  const rest: Section = {
    head: '',
    items: [`*And ${grouped(hidden)} more: \`kb report --format html\` and \`--format csv\` list them.*\n`],
    noun: 'note',
  }
  return hidden > 0 ? [rows, rest] : [rows]
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}
