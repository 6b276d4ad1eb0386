import type { Settings } from '../core/config/settings.ts'
import { createLiveContent, type LiveContent } from '../watch/live-content/live-content.ts'
import { createSourceFilter } from '../content/source/find-sources.ts'
import { openRenderCache, openTemporaryCache } from '../content/pipeline/render-cache.ts'
import { workspaceOf } from '../sync/state/workspace.ts'
import { contentOptions } from '../content/pipeline/content-options.ts'

/**
 * Opens the content of a configuration, to be checked repeatedly.
 *
 * @param leavesNoTrace writes nothing below .kb
 */
export async function openLiveContent(settings: Settings, leavesNoTrace = false): Promise<LiveContent> {
  return createLiveContent({
    options: contentOptions(settings),
    isIncluded: await createSourceFilter(settings.include, settings.exclude),
    openCache: () =>
      leavesNoTrace ? openTemporaryCache() : openRenderCache(workspaceOf(settings.root).cacheFile),
    now: () => Date.now(),
  })
}
