import { html } from 'hono/html'
import type { Html } from '../../page-body.ts'

export interface Column<T> {
  readonly name: string
  readonly cell: (row: T) => Html | string | number
  /** What a script sorts by, where that is not what the cell says. */
  readonly key?: (row: T) => string | number
  /** Where the table is shown as a list, its name stands before the cell. Default: that of numbers does. */
  readonly isNamed?: boolean
  /** Class of its cells. */
  readonly look?: 'number' | 'date' | 'address'
}

/**
 * A table that narrow screens show as a list of its rows; the roles keep it a table for those who listen.
 *
 * @param caption what it is about, read out but not shown
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
  const sorted = key === undefined ? '' : html`data-key="${key(row)}"`
  // Without its column above it, a number alone says nothing.
  const named = isNamed ? html`data-name="${name}"` : ''
  return html`<td role="cell" ${lookClass(look)} ${sorted} ${named}>${cell(row)}</td>`
}

function lookClass(look: string | undefined): Html | '' {
  return look === undefined ? '' : html`class="kb-data-${look}"`
}
