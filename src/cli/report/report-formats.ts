import { KbError } from '../../core/errors/kb-error.ts'

export const REPORT_FORMATS = ['pretty', 'json', 'markdown', 'html', 'csv', 'sarif', 'github', 'ics'] as const

export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** By file extension. */
const FORMAT_OF_NAME: readonly (readonly [RegExp, ReportFormat])[] = [
  [/\.sarif(\.json)?$/i, 'sarif'],
  [/\.json$/i, 'json'],
  [/\.(md|markdown)$/i, 'markdown'],
  [/\.html?$/i, 'html'],
  [/\.csv$/i, 'csv'],
  [/\.ics$/i, 'ics'],
]

/** A file extension. The text after a dot may be part of the name. */
const ENDING = /\.([a-z][a-z\d]{0,4})$/i
const TEXT = /\.(txt|text|log)$/i

interface FormatChoice {
  readonly json?: boolean
  readonly format?: ReportFormat
  readonly out?: string
}

/**
 * Returns the requested format, else that of the file extension, else text for people.
 *
 * @throws KbError USAGE for an extension without a format
 */
export function chooseReportFormat({ json = false, format, out = '' }: FormatChoice): ReportFormat {
  if (json) return 'json'
  return format ?? formatOfName(out)
}

function formatOfName(out: string): ReportFormat {
  const known = FORMAT_OF_NAME.find(([pattern]) => pattern.test(out))
  if (known !== undefined) return known[1]
  const ending = ENDING.exec(out)?.[0]
  if (ending === undefined || TEXT.test(out)) return 'pretty'
  throw new KbError('USAGE', `There is no report format for ${ending}.`, {
    hint: 'Choose a format with --format, or one of these endings: .html, .csv (for spreadsheets), .json, .md, .sarif, .ics or .txt.',
  })
}
