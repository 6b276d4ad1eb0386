import type { Report } from '../../inspect/report/report.ts'
import { readProgramVersion } from '../../core/version.ts'
import { prefixInRepository } from '../diagnostics/repository-prefix.ts'
import { createSourceLink } from '../markdown/source-links.ts'
import type { PrettyView } from './pretty/pretty-view.ts'
import type { ReportFormat } from './report-formats.ts'

export interface ReportPlace {
  /** The project's folder. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** For `pretty`. */
  readonly view: PrettyView
}

/** The report in one of its formats, in as many pieces as that takes. What a format needs is loaded with it. */
export async function formatReport(
  report: Report,
  format: ReportFormat,
  { root, env, view }: ReportPlace,
): Promise<Iterable<string>> {
  const prefix = prefixInRepository(root)
  switch (format) {
    case 'pretty': {
      const { formatReportPretty } = await import('./format-report-pretty.ts')
      return [formatReportPretty(report, view)]
    }
    case 'json': {
      const { formatReportJson } = await import('./format-report-json.ts')
      return formatReportJson(report)
    }
    case 'markdown': {
      const { formatReportMarkdown } = await import('./format-report-markdown.ts')
      return [formatReportMarkdown(report, { prefix, linkOf: createSourceLink(env) })]
    }
    case 'html': {
      const { formatReportHtml } = await import('./html/format-report-html.ts')
      const linkOf = createSourceLink(env)
      return [await formatReportHtml(report, { linkOf: (file, line) => linkOf(`${prefix}${file}`, line) })]
    }
    case 'csv': {
      const { formatReportCsv } = await import('./format-report-csv.ts')
      return [formatReportCsv(report)]
    }
    case 'sarif': {
      const { formatReportSarif } = await import('./format-report-sarif.ts')
      return [formatReportSarif(report, { prefix, version: readProgramVersion() })]
    }
    case 'github': {
      const { formatReportGithub } = await import('./format-report-github.ts')
      return [formatReportGithub(report, { prefix })]
    }
    case 'ics': {
      const { formatReportIcs } = await import('./format-report-ics.ts')
      return [formatReportIcs(report)]
    }
  }
}
