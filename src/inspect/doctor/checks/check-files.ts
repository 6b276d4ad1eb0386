import type { Settings } from '../../../core/config/settings.ts'
import { KbError } from '../../../core/errors/kb-error.ts'
import type { LoadedContent } from '../../../content/pipeline/load-content.ts'
import type { Diagnostic } from '../../../core/model/diagnostic.ts'
import { contentPrefix, findContent, openContent } from '../../../sync/content-project.ts'
import { failure, failureOf, type Finding, ok, skipped, warning } from '../finding.ts'
import { pluralize } from '../../../core/pluralize.ts'

export interface CheckedFiles {
  readonly findings: readonly Finding[]
  /** Undefined where the files could not be read. */
  readonly content: Pick<LoadedContent, 'articles' | 'taxonomy' | 'readHtml'> | undefined
  /** No HTML can be read after this. */
  readonly close: () => void
}

/** Reads, checks and renders everything, and leaves no trace of it. */
export async function checkFiles(settings: Settings, signal: AbortSignal | undefined): Promise<CheckedFiles> {
  const folder = contentPrefix(settings)
  try {
    const found = await findContent(settings)
    const { content, cache } = await openContent(settings, found, { signal, leavesNoTrace: true })
    const articles = found.articles.filter(({ source }) => !content.pages.has(source))
    const count = pluralize(articles.length, 'article')
    const folderFinding =
      articles.length === 0
        ? warning('files.content', `${folder} holds no article.`, 'Check content, include and exclude.')
        : ok('files.content', `${folder} holds ${count}`)
    return { findings: [folderFinding, judgeProblems(content.diagnostics)], content, close: cache.close }
  } catch (error) {
    const isOfFolder = error instanceof KbError && error.code === 'CONTENT_UNREADABLE'
    const findings = isOfFolder
      ? [failureOf('files.content', error), skipped('files.problems', 'the files could not be read')]
      : [failureOf('files.problems', error)]
    return { findings, content: undefined, close: () => undefined }
  }
}

function judgeProblems(diagnostics: readonly Diagnostic[]): Finding {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const [first] = errors.length > 0 ? errors : diagnostics
  if (first === undefined) return ok('files.problems', 'no errors and no warnings')
  const warnings = diagnostics.length - errors.length
  const parts = [
    ...(errors.length > 0 ? [pluralize(errors.length, 'error')] : []),
    ...(warnings > 0 ? [pluralize(warnings, 'warning')] : []),
  ]
  const consequence = errors.length > 0 ? ' Nothing is sent before the errors are gone.' : ''
  const message = `${parts.join(' and ')}, the first in ${first.file}:${first.line}: ${first.message}${consequence}`
  const make = errors.length > 0 ? failure : warning
  return make('files.problems', message, 'kb check shows all of them.')
}
