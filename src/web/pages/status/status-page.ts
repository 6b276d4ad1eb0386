import { html } from 'hono/html'
import { createChartDrawer } from '../../dashboard/charts/draw-charts.ts'
import type { StatusSource } from '../../dashboard/status-source.ts'
import { type StatusScope, summarizeStatus } from '../../dashboard/summary/summarize-status.ts'
import { createFileCell, type DashboardLinks, timeElement, pageLink } from '../../dashboard/views/cells.ts'
import { sectionElement, tileList } from '../../dashboard/views/sections.ts'
import type { LivePages } from '../live-pages.ts'
import { openFile } from '../open-file.ts'
import type { PageBody } from '../page-body.ts'
import { problemsList } from '../problems-view.ts'
import { readStatusChoice, statusQuery, type StatusChoice } from './status-choice.ts'
import {
  articleSection,
  ENTRIES_LISTED,
  linkSection,
  reviewSection,
  statusTiles,
  syncSection,
} from './status-sections.ts'

/** Renders the page for one request; `query` may sort and filter its lists. */
export type StatusPage = (query: URLSearchParams) => Promise<PageBody>

const SCOPE = { monthsBefore: 2, monthsAfter: 10, listed: ENTRIES_LISTED }
const LINKS = { listed: 100, groups: 8, perGroup: 1 }

/**
 * Creates the page /status. One instance serves all requests and caches its charts.
 *
 * @param live adds the problems of the files and opens them in an editor
 */
export function createStatusPage(source: StatusSource, live?: LivePages): StatusPage {
  const links = linksOf(live)
  const drawCharts = createChartDrawer()

  const show = async (choice: StatusChoice): Promise<PageBody> => {
    const scope: StatusScope = { ...SCOPE, links: { ...LINKS, ...choice } }
    const summary = await summarizeStatus(source, scope)
    const charts = await drawCharts({ ...summary, history: [] })
    const { sync, lastChange } = summary
    const articles = articleSection(summary, charts)
    const main = await html`<div class="kb-overview">
      <h1>Status</h1>
      ${tileList(statusTiles(summary, live?.problems()))}
      ${sync === undefined ? '' : sectionElement(syncSection(sync, links))}
      ${live === undefined ? '' : problemsList(live)} ${sectionElement(reviewSection(summary, charts, links))}
      ${sectionElement(linkSection(summary, charts, choice, links))}
      ${articles === undefined ? '' : sectionElement(articles)}
      ${lastChange === undefined ? '' : html`<p class="kb-note">Last change of an article: ${timeElement(lastChange)}.</p>`}
    </div>`
    return { title: 'Status', main, language: 'en', styles: ['dashboard.css'] }
  }

  const showShared = shareRuns((query) => show(readStatusChoice(new URLSearchParams(query))))
  return (query) => showShared(statusQuery(readStatusChoice(query)))
}

/** Renders a position in a file, as a button if the author's editor can be opened. */
function linksOf(live: LivePages | undefined): DashboardLinks {
  const file: DashboardLinks['file'] =
    live === undefined
      ? createFileCell()
      : (path, { line = 1, column = 1 } = {}) => openFile(live, { file: path, line, column })
  return { file, article: pageLink }
}

/**
 * Shares the runs of a costly function: calls during a run share the next one, so that none gets data from before the
 * call, and at most two runs exist for each key.
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
