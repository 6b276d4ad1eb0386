import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { FoundSources } from '../../content/source/find-sources.ts'
import { countErrors } from '../../core/model/diagnostic.ts'
import { findContent, readContent } from '../../sync/open-content.ts'
import { openIndexedContent } from '../../sync/indexed-content.ts'
import { canPrepare, stateFiles, workspaceOf } from '../../sync/state/workspace.ts'
import type { ReportTask } from './report-task.ts'

/** The data that a report needs from the files. */
export interface ReportContent extends Pick<
  LoadedContent,
  'articles' | 'pages' | 'taxonomy' | 'findAddresses' | 'readExternalLinks'
> {
  readonly found: FoundSources
  /** Number of errors in the files. */
  readonly errors: number
  /** True if nothing may be written to .kb. */
  readonly leavesNoTrace: boolean
  readonly close: () => void
}

/**
 * Reads the articles from the index of the last sync, and from the files that were edited since. Without an index, or
 * if every link is checked, reads all files.
 *
 * @throws KbError CONTENT_UNREADABLE, INTERRUPTED, CONFIG_INVALID
 */
export async function openReportContent(task: ReportTask): Promise<ReportContent> {
  const { settings, external } = task
  const found = await findContent(settings)
  return (external === undefined ? await openIndexed(task, found) : undefined) ?? (await openAll(task, found))
}

async function openIndexed({ settings, target }: ReportTask, found: FoundSources) {
  const workspace = workspaceOf(settings.root)
  if (!canPrepare(workspace)) return undefined
  const files = stateFiles(target, settings, workspace)
  const indexed = await openIndexedContent(settings, found, files)
  if (indexed === undefined) return undefined
  const { cache, ...content } = indexed
  return {
    ...content,
    found,
    // The last sync had no errors, and those of an edited article require loading all files.
    errors: 0,
    readExternalLinks: () => [],
    leavesNoTrace: false,
    close: cache.close,
  }
}

async function openAll(task: ReportTask, found: FoundSources): Promise<ReportContent> {
  const { content, cache, leavesNoTrace } = await readContent(task.settings, { ...task, found })
  return { ...content, found, errors: countErrors(content.diagnostics), leavesNoTrace, close: cache.close }
}
