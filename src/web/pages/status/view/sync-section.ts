import { html } from 'hono/html'
import { pluralize } from '../../../../core/pluralize.ts'
import { escapeControlInLine } from '../../../../core/escape-control.ts'
import type { Html } from '../../page-body.ts'
import type { UnsentArticle } from '../../../dashboard/status-source.ts'
import type { ShortList, SyncSummary } from '../../../dashboard/summary/summarize-sync.ts'
import { articleCell, type FileCell } from './article-cell.ts'
import { dataTable } from './data-table.ts'
import { moment } from './moments.ts'
import { SECTIONS } from './section-ids.ts'

/** How files and target stand to each other. */
export function syncSection(sync: SyncSummary, fileCell: FileCell): Html {
  const { lastSync, orphans } = sync
  return html`<section
    id="${SECTIONS.sync}"
    class="kb-overview-section"
    aria-labelledby="${SECTIONS.sync}-title"
  >
    <h2 id="${SECTIONS.sync}-title">Sync</h2>
    <p>
      ${standing(sync)}${lastSync === undefined ? '' : html` Last sync: ${moment(lastSync)}.`} Sent since the
      start: ${pluralize(sync.sent, 'article')}.
    </p>
    ${unsent('Could not be sent', sync.failures, fileCell)}
    ${unsent('Held back for their errors', sync.heldBack, fileCell)}
    ${orphans === 0 ? '' : html`<p>${pluralize(orphans, 'article')} of ours on the target ${orphans === 1 ? 'has' : 'have'} no file any more; <code>kb sync --prune</code> removes ${orphans === 1 ? 'it' : 'them'}.</p>`}
  </section>`
}

function standing(sync: SyncSummary): Html {
  const target = html`<strong>${escapeControlInLine(sync.target)}</strong>`
  const waiting = `${pluralize(sync.pending, 'article')} ${sync.pending === 1 ? 'waits' : 'wait'}`
  switch (sync.state) {
    case 'offline':
      return html`The target ${target} does not answer. ${waiting}: everything is kept, and sent as soon as it
      is back.`
    case 'syncing':
      return html`Articles are being sent to ${target}. ${waiting}.`
    case 'synced':
      if (sync.lastSync === undefined) return html`The first sync with ${target} has not ended yet.`
      if (sync.pending > 0) return html`${waiting} to be sent to ${target}.`
      return sync.isClean
        ? html`The target ${target} has every article as the files do.`
        : html`The target ${target} has everything but what is listed here.`
  }
}

function unsent(heading: string, { count, first }: ShortList<UnsentArticle>, fileCell: FileCell): Html | '' {
  if (count === 0) return ''
  const columns = [
    { name: 'Article', cell: (row: UnsentArticle) => articleCell(row, fileCell) },
    { name: 'Reason', cell: (row: UnsentArticle) => escapeControlInLine(row.reason) },
  ]
  return html`<h3>${heading} (${pluralize(count, 'article')})</h3>
    ${dataTable(heading, columns, first)}
    ${first.length < count ? html`<p class="kb-note">The first ${first.length} are shown.</p>` : ''}`
}
