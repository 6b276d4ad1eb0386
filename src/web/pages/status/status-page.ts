import { html } from 'hono/html'
import type { LivePages } from '../live-pages.ts'
import type { PageBody } from '../page-body.ts'
import { problemsList } from '../problems-view.ts'
import { createChartDrawer } from '../../dashboard/charts/draw-charts.ts'
import type { StatusSource } from '../../dashboard/status-source.ts'
import { type StatusScope, summarizeStatus } from '../../dashboard/summary/summarize-status.ts'
import { articleSection, hasArticleSection } from './view/article-section.ts'
import { createFileCell } from './view/article-cell.ts'
import { linkSection } from './view/link-section.ts'
import { moment } from './view/moments.ts'
import { ENTRIES_LISTED, reviewSection } from './view/review-section.ts'
import { readStatusChoice, statusQuery, type StatusChoice } from './view/status-choice.ts'
import { statusTiles } from './view/status-tiles.ts'
import { syncSection } from './view/sync-section.ts'

/** Makes the page for one request; `query` may sort and filter its lists. */
export type StatusPage = (query: URLSearchParams) => Promise<PageBody>

const SCOPE = { monthsBefore: 2, monthsAfter: 10, listed: ENTRIES_LISTED }
const LINKS = { listed: 100, groups: 8, perGroup: 1 }

/**
 * The page /status. One of these serves all requests: it keeps the charts that it drew last.
 *
 * @param live shows the problems of the files and opens them in an editor
 */
export function createStatusPage(source: StatusSource, live?: LivePages): StatusPage {
  const fileCell = createFileCell(live)
  const drawCharts = createChartDrawer()

  const show = async (choice: StatusChoice): Promise<PageBody> => {
    const scope: StatusScope = { ...SCOPE, links: { ...LINKS, ...choice } }
    const summary = await summarizeStatus(source, scope)
    const charts = await drawCharts({ ...summary, history: [] })
    const { sync, lastChange } = summary
    const main = await html`<div class="kb-overview">
      <h1>Status</h1>
      ${statusTiles(summary, live?.problems())} ${sync === undefined ? '' : syncSection(sync, fileCell)}
      ${live === undefined ? '' : problemsList(live)} ${reviewSection(summary, charts, fileCell)}
      ${linkSection(summary, charts.hosts, choice, fileCell)}
      ${hasArticleSection(summary) ? articleSection(summary, charts.ages) : ''}
      ${lastChange === undefined ? '' : html`<p class="kb-note">Last change of an article: ${moment(lastChange)}.</p>`}
    </div>`
    return { title: 'Status', main, language: 'en', styles: ['status.css'] }
  }

  const showShared = shareRuns((query) => show(readStatusChoice(new URLSearchParams(query))))
  return (query) => showShared(statusQuery(readStatusChoice(query)))
}

/**
 * Makes a function that is costly cheap to be called often: those who call while one run is under way share the next,
 * so that none gets what was read before the call, and at most two runs wait for each key.
 */
function shareRuns<T>(run: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const waiting = new Map<string, Promise<T>>()

  const start = (key: string): Promise<T> => {
    waiting.delete(key)
    const begun = run(key).finally(() => {
      if (running.get(key) === begun) running.delete(key)
    })
    running.set(key, begun)
    return begun
  }

  return (key) => {
    const next = waiting.get(key)
    if (next !== undefined) return next
    const current = running.get(key)
    if (current === undefined) return start(key)
    const after = current.then(
      () => start(key),
      () => start(key),
    )
    waiting.set(key, after)
    return after
  }
}
