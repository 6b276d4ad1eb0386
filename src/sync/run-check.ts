import type { Settings } from '../config/settings.ts'
import { KbError } from '../errors/kb-error.ts'
import type { Diagnostic } from '../model/diagnostic.ts'
import { prepareWorkspace, type Workspace, workspaceOf } from '../state/workspace.ts'
import { contentPrefix, findContent, openContent, type Progress } from './content-project.ts'

export interface CheckOptions {
  readonly settings: Settings
  /** Sources (or folders of them) whose problems are of interest; everything is read all the same. */
  readonly isSelected?: ((source: string) => boolean) | undefined
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
}

export interface CheckResult {
  readonly articles: number
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads, checks and renders everything; sends nothing. */
export async function runCheck({
  settings,
  isSelected,
  onProgress,
  signal,
}: CheckOptions): Promise<CheckResult> {
  const found = await findContent(settings)
  const leavesNoTrace = !canPrepare(workspaceOf(settings.root))
  const { content, cache } = await openContent(settings, found, { onProgress, signal, leavesNoTrace })
  cache.close()
  const prefix = contentPrefix(settings)
  const sources = found.articles.filter(({ source }) => isSelected?.(source) ?? true)
  const isShown = ({ file }: Diagnostic) => isSelected?.(file.slice(prefix.length)) ?? true
  return { articles: sources.length, diagnostics: content.diagnostics.filter(isShown) }
}

/** A check only reads: where nothing can be kept, it renders everything and goes on. */
function canPrepare(workspace: Workspace): boolean {
  try {
    prepareWorkspace(workspace)
    return true
  } catch (error) {
    if (error instanceof KbError) return false
    throw error
  }
}
