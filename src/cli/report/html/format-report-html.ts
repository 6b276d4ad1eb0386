// The report as one HTML file that needs nothing else: no server, no network, and no script to be read. What a target
// names (titles, addresses, people) may be anything; it is escaped by `html`, and the file's own policy lets nothing run
// that is not in it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, raw } from 'hono/html'
import { codeFile } from '../../../core/package-files.ts'
import {
  createChartDrawer,
  type DrawnCharts,
  HOSTS_DRAWN,
} from '../../../web/dashboard/charts/draw-charts.ts'
import { moment } from '../../../web/pages/status/view/moments.ts'
import type { Html } from '../../../web/pages/page-body.ts'
import type { Report } from '../../../inspect/report/report.ts'
import { adviceSection } from './view/advice-section.ts'
import { ageSection } from './view/age-section.ts'
import { categorySection } from './view/category-section.ts'
import { changeSection } from './view/change-section.ts'
import { disagreementSection } from './view/disagreement-section.ts'
import { limitSection } from './view/limit-section.ts'
import { reportLinkSection } from './view/link-section.ts'
import { noteSection } from './view/note-section.ts'
import { type ReportSection, sectionElement, sectionNavigation } from './view/report-section.ts'
import type { ReportView } from './view/report-view.ts'
import { reportTiles } from './view/report-tiles.ts'
import { reportReviewSection } from './view/review-section.ts'
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
    reportReviewSection(report, charts, view),
    reportLinkSection(report, charts.hosts, view),
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

interface DocumentParts {
  readonly title: string
  readonly brand: string
  readonly navigation: Html | ''
  /** Goes into `<main>`; begins with its `<h1>`. */
  readonly main: Html
}

const MAIN_ID = 'report'

/** A whole HTML document that needs nothing but itself. */
function reportDocument(parts: DocumentParts, assets: InlineAssets): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        ${head(parts.title, assets)}
      </head>
      <body>
        <a class="kb-skip" href="#${MAIN_ID}">Skip to the report</a>
        <header class="kb-header">
          <span class="kb-brand"><bdi>${parts.brand}</bdi></span>
        </header>
        <div class="kb-body">
          ${parts.navigation}
          <main id="${MAIN_ID}" class="kb-main" tabindex="-1">${parts.main}</main>
        </div>
      </body>
    </html> `
}

// The policy goes by digests: not a space may come between the tags and what is in them.
function head(title: string, assets: InlineAssets): Html {
  const icon = `data:image/svg+xml;base64,${Buffer.from(assets.icon).toString('base64')}`
  return html`<meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(assets)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="${icon}" type="image/svg+xml" />
    ${raw(`<style>${assets.style}</style>`)} ${raw(`<script type="module">${assets.script}</script>`)}`
}

// Style and script of the report's one file: those of the pages, so that report and /status look the same, and its own.
interface InlineAssets {
  readonly style: string
  readonly script: string
  /** An SVG document. */
  readonly icon: string
}

const PAGES = 'web/pages/assets/'
const OWN = 'cli/report/html/assets/'

/** Reads the files that the report carries in itself. */
function readInlineAssets(): InlineAssets {
  return {
    style: [PAGES + 'pages.css', PAGES + 'status.css', OWN + 'report.css'].map(readAsset).join('\n'),
    script: readAsset(OWN + 'report.js'),
    icon: readAsset(PAGES + 'icon.svg'),
  }
}

// A browser reads CRLF as LF before it takes the digest.
function readAsset(name: string): string {
  return readFileSync(codeFile(name), 'utf8').replaceAll('\r\n', '\n')
}

/** The content security policy of a file that may run and show nothing but what it carries. */
function contentSecurityPolicy({ style, script }: InlineAssets): string {
  return [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    `script-src '${digestOf(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
