import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import type { FoundSources } from '../../content/source/find-sources.ts'
import { canPrepare, workspaceOf } from '../../sync/state/workspace.ts'
import {
  findContent,
  type OpenContent,
  openContent,
  type Progress,
  usesStoredFiles,
} from '../../sync/content-project.ts'

export interface ReadContent extends OpenContent {
  readonly found: FoundSources
  /** True if nothing may be written to .kb. */
  readonly leavesNoTrace: boolean
}

/**
 * Reads, checks and renders the content for a command that sends nothing. If nothing can be stored in .kb, everything
 * is rendered again. Whether a remote target stores files is known only if a run has asked it. The cache stays open.
 *
 * @throws KbError CONTENT_UNREADABLE, INTERRUPTED, CONFIG_INVALID
 */
export async function readContent(
  settings: Settings,
  options: {
    readonly onProgress?: Progress | undefined
    readonly signal?: AbortSignal | undefined
    /** The result of `findContent`, if the caller has it. */
    readonly found?: FoundSources | undefined
    /** Default: the configured target. */
    readonly target?: TargetSettings | undefined
  },
): Promise<ReadContent> {
  const found = options.found ?? (await findContent(settings))
  const leavesNoTrace = !canPrepare(workspaceOf(settings.root))
  const open = (known: Settings) => openContent(known, found, { ...options, leavesNoTrace })
  const opened = await open(settings)
  if (settings.assets.storage !== 'unknown' || !usesStoredFiles(opened.content))
    return { ...opened, found, leavesNoTrace }
  const { withRememberedStorage } = await import('../../sync/file-storage.ts')
  const known = withRememberedStorage(settings, options.target ?? settings.target)
  if (known === settings) return { ...opened, found, leavesNoTrace }
  opened.cache.close()
  return { ...(await open(known)), found, leavesNoTrace }
}
