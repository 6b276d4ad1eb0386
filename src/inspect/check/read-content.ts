import type { Settings } from '../../core/config/settings.ts'
import type { FoundSources } from '../../content/source/find-sources.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { prepareWorkspace, type Workspace, workspaceOf } from '../../sync/state/workspace.ts'
import { findContent, type OpenContent, openContent, type Progress } from '../../sync/content-project.ts'

export interface ReadContent extends OpenContent {
  readonly found: FoundSources
  /** Whether nothing may be written below .kb. */
  readonly leavesNoTrace: boolean
}

/**
 * Reads, checks and renders the content for a command that sends nothing. Where nothing can be kept in .kb, everything
 * is rendered again. The cache stays open.
 *
 * @throws KbError CONTENT_UNREADABLE, INTERRUPTED, CONFIG_INVALID
 */
export async function readContent(
  settings: Settings,
  options: {
    readonly onProgress?: Progress | undefined
    readonly signal?: AbortSignal | undefined
    readonly keepsAddresses?: boolean | undefined
    /** The result of `findContent`, if the caller knows it. */
    readonly found?: FoundSources | undefined
  },
): Promise<ReadContent> {
  const found = options.found ?? (await findContent(settings))
  const leavesNoTrace = !canPrepare(workspaceOf(settings.root))
  const opened = await openContent(settings, found, { ...options, leavesNoTrace })
  return { ...opened, found, leavesNoTrace }
}

/** Makes .kb ready, with its .gitignore; false where nothing can be kept there. */
export function canPrepare(workspace: Workspace): boolean {
  try {
    prepareWorkspace(workspace)
    return true
  } catch (error) {
    if (error instanceof KbError) return false
    throw error
  }
}
