// The report as one self-contained HTML file: no server, no network, and readable without scripts. Titles, URLs and
// people from a target may be any text; `html` escapes them, and the file's own policy runs only its own script.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, raw } from 'hono/html'
import { codeFile } from '../../core/package-files.ts'
import { createChartDrawer, type DrawnCharts, HOSTS_DRAWN } from '../dashboard/charts/draw-charts.ts'
import { createFileCell, timeElement, outerLink, shortText } from '../dashboard/views/cells.ts'
import { sectionElement, tileList } from '../dashboard/views/sections.ts'
import type { Html } from '../html.ts'
import type { Report } from './report.ts'
import { type ReportSection, reportSections, reportTiles } from './report-sections.ts'

/** Maximum number of rows that a browser opens and sorts quickly. Other formats contain all. */
const ROW_LIMIT = 1000

/** Maximum length of the project's name in the window title, which shows some 70 UTF-16 code units. */
const TITLE_LIMIT = 30

interface HtmlOptions {
  /** Maximum number of rows in one table. Default: 1,000. */
  readonly rowLimit?: number
  /** Returns the URL of a line of a file, which is relative to the project; undefined if there is none. */
  readonly linkOf?: (file: string, line: number) => string | undefined
}

export async function formatReportHtml(report: Report, options: HtmlOptions = {}): Promise<string> {
  const { rowLimit = ROW_LIMIT, linkOf } = options
  const links = { file: createFileCell(linkOf), article: outerLink }
  const sections = reportSections(report, await drawCharts(report), { rowLimit, links })
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

function mainPart(report: Report, sections: readonly ReportSection[]): Html {
  const { project, target, generatedAt } = report
  return html`<div class="kb-overview">
    <h1>Report on <bdi>${shortText(target)}</bdi></h1>
    <p class="kb-note report-origin">
      Project <strong><bdi>${shortText(project)}</bdi></strong
      >, ${timeElement(generatedAt)}
    </p>
    ${tileList(reportTiles(report, sections), 'report-tiles')} ${sections.map(sectionElement)}
    <p class="kb-note report-end">Made by <code>kb report</code>. All dates are in UTC.</p>
  </div>`
}

/** Renders links to the sections: beside them if there is room, otherwise collapsed above them. */
function sectionNavigation(sections: readonly ReportSection[]): Html | '' {
  if (sections.length < 2) return ''
  return html`<nav class="kb-nav" aria-label="Sections of the report">
    <details class="kb-fold">
      <summary>Sections</summary>
      <ul>
        ${sections.map(
          ({ id, heading, count }) =>
            html`<li>
              <a href="#${id}"
                ><span>${heading}</span
                >${count === undefined ? '' : html` <span class="kb-number">${count}</span>`}</a
              >
            </li> `,
        )}
      </ul>
    </details>
  </nav>`
}

interface DocumentParts {
  readonly title: string
  readonly brand: string
  readonly navigation: Html | ''
  /** Content of `<main>`; starts with its `<h1>`. */
  readonly main: Html
}

const MAIN_ID = 'report'

/** Renders a self-contained HTML document. */
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

// The policy uses digests, so there must be no space between the tags and their content.
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

// Style and script of the report: those of the pages, so that report and /status look the same, and additional ones.
type InlineAssets = ReturnType<typeof readInlineAssets>

const PAGES = 'web/pages/assets/'
const OWN = 'web/report/assets/'

/** Reads the files to embed in the report. */
function readInlineAssets() {
  return {
    style: [PAGES + 'pages.css', PAGES + 'dashboard.css', OWN + 'report.css'].map(readAsset).join('\n'),
    script: readAsset(OWN + 'report.js'),
    /** An SVG document. */
    icon: readAsset(PAGES + 'icon.svg'),
  }
}

// A browser reads CRLF as LF before it computes the digest.
function readAsset(name: string): string {
  return readFileSync(codeFile(name), 'utf8').replaceAll('\r\n', '\n')
}

/** Returns the content security policy of a file that may run and show only what it contains. */
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
