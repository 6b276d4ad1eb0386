import type { Report } from '../../web/report/report.ts'
import { readProgramVersion } from '../../core/version.ts'
import { prefixInRepository } from '../../core/git/find-repository.ts'
import { createSourceLink } from '../markdown/source-links.ts'
import type { PrettyView } from './pretty-lines.ts'
import type { ReportFormat } from './report-formats.ts'
import { stat, writeFile } from 'node:fs/promises'
import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'
import { writeFileWhole } from '../../core/write-file-whole.ts'

interface ReportPlace {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** For `pretty`. */
  readonly view: PrettyView
}

/** Formats the report in one of its formats, in chunks. Loads only the code of that format. */
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
      const { formatReportHtml } = await import('../../web/report/format-report-html.ts')
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
      return [formatReportGithub(report, prefix)]
    }
    case 'ics': {
      const { formatReportIcs } = await import('./format-report-ics.ts')
      return [formatReportIcs(report)]
    }
  }
}

/** Chunks are combined up to this length. */
const CHUNK_LENGTH = 64 * 1024

/** Combines texts, so that they are not written in small chunks. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/**
 * Writes a report to a file, completely or not at all. Writes directly to anything else, such as `/dev/stdout`.
 *
 * @throws KbError FILES_UNWRITABLE; `name` is the file as the user named it
 */
export async function writeReport(file: string, name: string, pieces: Iterable<string>): Promise<void> {
  try {
    const isPlain = (await stat(file).catch(() => undefined))?.isFile() ?? true
    if (isPlain) return await writeFileWhole(file, inChunks(pieces))
    await writeFile(file, inChunks(pieces), { flag: 'a' })
  } catch (error) {
    // An error that does not come from the system is a bug in the format, not a problem of the file.
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new KbError(
      'FILES_UNWRITABLE',
      `The report could not be written to ${name}: ${reasonWithoutPath(error)}.`,
      { cause: error, hint: 'Its folder must exist and be writable.' },
    )
  }
}
