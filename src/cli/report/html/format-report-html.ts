// The report as one HTML file that needs nothing else: no server, no network, and no script to be read. What a target
// names (titles, addresses, people) may be anything; it is escaped by `html`, and the file's own policy lets nothing run
// that is not in it.
import { html } from 'hono/html'
import {
  createChartDrawer,
  type DrawnCharts,
  HOSTS_DRAWN,
} from '../../../web/dashboard/charts/draw-charts.ts'
import { moment } from '../../../web/pages/status/view/moments.ts'
import type { Html } from '../../../web/pages/page-body.ts'
import type { Report } from '../../../inspect/report/report.ts'
import { readInlineAssets } from './inline-assets.ts'
import { reportDocument } from './report-document.ts'
import { adviceSection } from './view/advice-section.ts'
import { ageSection } from './view/age-section.ts'
import { categorySection } from './view/category-section.ts'
import { changeSection } from './view/change-section.ts'
import { disagreementSection } from './view/disagreement-section.ts'
import { limitSection } from './view/limit-section.ts'
import { linkSection } from './view/link-section.ts'
import { noteSection } from './view/note-section.ts'
import { type ReportSection, sectionElement, sectionNavigation } from './view/report-section.ts'
import type { ReportView } from './view/report-view.ts'
import { reportTiles } from './view/report-tiles.ts'
import { reviewSection } from './view/review-section.ts'
import { shortText } from './view/short-text.ts'
import { translationSection } from './view/translation-section.ts'
import { unownedSection } from './view/unowned-section.ts'

/** What a browser opens and sorts at once; whoever wants every row has other formats. */
const ROW_LIMIT = 1000

/** Characters of the project's name in the title of the window, which has room for some 70 UTF-16 units. */
const TITLE_LIMIT = 30

/** @param view where places in files lead to, and how long tables may get; nowhere, and 1,000 rows by default */
export async function formatReportHtml(report: Report, view: Partial<ReportView> = {}): Promise<string> {
  const whole = { rowLimit: ROW_LIMIT, linkOf: () => undefined, ...view }
  const sections = sectionsOf(report, await drawCharts(report), whole)
  const document = reportDocument(
    {
      title: `Report · ${shortText(report.project, TITLE_LIMIT)}`,
      brand: shortText(report.project),
      navigation: sectionNavigation(sections),
      main: mainPart(report, sections),
    },
    readInlineAssets(),
  )
  return String(await document)
}

function drawCharts({ today, dueWithinDays, reviews, links, ages, history }: Report): Promise<DrawnCharts> {
  const { span, summary } = reviews
  const hosts = links.summary.hosts
    .slice(0, HOSTS_DRAWN)
    .map(({ key, ...group }) => ({ ...group, key: shortText(key) }))
  const draw = createChartDrawer()
  return draw({ today, dueWithinDays, span, reviews: summary, brokenLinks: { hosts }, ages, history })
}

function sectionsOf(report: Report, charts: DrawnCharts, view: ReportView): readonly ReportSection[] {
  return [
    limitSection(report),
    adviceSection(report),
    noteSection(report),
    changeSection(report, charts.history),
    reviewSection(report, charts, view),
    linkSection(report, charts.hosts, view),
    disagreementSection(report, view),
    unownedSection(report, view),
    translationSection(report, view),
    categorySection(report, view),
    ageSection(report, charts.ages),
  ].filter((section) => section !== undefined)
}

function mainPart(report: Report, sections: readonly ReportSection[]): Html {
  const { project, target, generatedAt } = report
  const names = new Set(sections.map(({ name }) => name))
  return html`<div class="kb-overview">
    <h1>Report on <bdi>${shortText(target)}</bdi></h1>
    <p class="kb-note report-origin">
      Project <strong><bdi>${shortText(project)}</bdi></strong
      >, ${moment(generatedAt)}
    </p>
    ${reportTiles(report, names)} ${sections.map(sectionElement)}
    <p class="kb-note report-end">Made by <code>kb report</code>. All dates are in UTC.</p>
  </div>`
}
