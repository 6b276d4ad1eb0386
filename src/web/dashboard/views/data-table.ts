import { html } from 'hono/html'
import { formatNumber } from '../../../core/format-number.ts'
import type { Html } from '../../html.ts'
import type { Listing } from '../summary/least.ts'

export interface Column<T> {
  readonly name: string
  readonly cell: (row: T) => Html | string | number
  /** Returns the sort key for the script; undefined: the text of the cell. */
  readonly key?: (row: T) => string | undefined
  /** True to show the column name before the cell if the table is shown as a list. Default: true for numbers. */
  readonly isNamed?: boolean
  readonly look?: 'number' | 'date' | 'address'
}

export function numberColumn<T>(name: string, numberOf: (row: T) => number | undefined): Column<T> {
  const cell = (row: T) => {
    const number = numberOf(row)
    return number === undefined ? '–' : formatNumber(number)
  }
  return { name, cell, look: 'number' }
}

interface ListTableOptions<T> {
  /** Caption for screen readers only. */
  readonly caption: string
  readonly columns: readonly Column<T>[]
  /** In the initial order. */
  readonly rows: Listing<T>
  /** Maximum number of rows; default: all entries. */
  readonly rowLimit?: number
  readonly look?: string
  /** Returns a link to more of the entries. */
  readonly elsewhere?: (entries: number) => Html | string
}

/** Renders a table of the first entries of a list, with a note on the others. */
export function listTable<T>(options: ListTableOptions<T>): Html {
  const { caption, columns, rows, rowLimit = rows.entries.length, look, elsewhere } = options
  const shown = rows.entries.slice(0, rowLimit)
  const table = dataTable(caption, columns, shown, look)
  if (shown.length === rows.total) return table
  const first = `The first ${formatNumber(shown.length)} of ${formatNumber(rows.total)} are shown`
  const rest = elsewhere === undefined ? '.' : elsewhere(rows.entries.length)
  return html`${table}
    <p class="kb-note">${first}${rest}</p>`
}

/**
 * Renders a table that narrow screens show as a list of rows. The roles keep it a table for screen readers.
 *
 * @param caption for screen readers only
 */
export function dataTable<T>(
  caption: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
  look?: string,
): Html {
  return html`<table class="${look === undefined ? 'kb-data' : `kb-data ${look}`}" role="table">
    <caption class="kb-hidden">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(headCell)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            ${columns.map((column) => bodyCell(column, row))}
          </tr> `,
      )}
    </tbody>
  </table>`
}

function headCell<T>({ name, look }: Column<T>): Html {
  return html`<th role="columnheader" scope="col" ${lookClass(look)}>${name}</th>`
}

function bodyCell<T>({ name, cell, key, look, isNamed = look === 'number' }: Column<T>, row: T): Html {
  const sortKey = key?.(row)
  const sorted = sortKey === undefined ? '' : html`data-key="${sortKey}"`
  // A number alone means nothing without its column header.
  const named = isNamed ? html`data-name="${name}"` : ''
  return html`<td role="cell" ${lookClass(look)} ${sorted} ${named}>${cell(row)}</td>`
}

function lookClass(look: string | undefined): Html | '' {
  return look === undefined ? '' : html`class="kb-data-${look}"`
}
