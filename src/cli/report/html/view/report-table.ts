import { html } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import { type Column, dataTable } from '../../../../web/pages/status/view/data-table.ts'
import type { Listing } from '../../../../inspect/report/report.ts'
import { formatNumber } from '../../../../core/format-number.ts'

export interface ReportTable<T> {
  /** What it is about, read out but not shown. */
  readonly caption: string
  readonly columns: readonly Column<T>[]
  /** In the order in which they stand until somebody sorts them. */
  readonly rows: Listing<T>
  /** Most rows that are shown. */
  readonly rowLimit: number
  /** Further class, of status.css. */
  readonly look?: string
}

/** A table that the report's script makes sortable, and that is whole without it. */
export function reportTable<T>({ caption, columns, rows, rowLimit, look }: ReportTable<T>): Html {
  const shown = rows.entries.slice(0, rowLimit)
  return html`${dataTable(caption, columns, shown, look)} ${cutNote(shown.length, rows)}`
}

function cutNote(shown: number, { entries, total }: Listing<unknown>): Html | '' {
  if (shown === total) return ''
  const first = `The first ${formatNumber(shown)} of ${formatNumber(total)} are shown`
  if (shown === entries.length) return html`<p class="kb-note">${first}; the others were only counted.</p>`
  const rest = entries.length === total ? 'all of them' : `the first ${formatNumber(entries.length)}`
  return html`<p class="kb-note">${first}; <code>kb report --format csv</code> lists ${rest}.</p>`
}
