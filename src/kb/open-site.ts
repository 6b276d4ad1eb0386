import { canPrepare } from '../inspect/check/read-content.ts'
import { openSite as open } from './site/open-site.ts'
import type { Site } from './site/site-options.ts'
import { workspaceOf } from '../sync/state/workspace.ts'
import { openLiveContent } from './open-live-content.ts'
import type { Project } from './project.ts'
import type { OpenSiteOptions } from './run-options.ts'

/** `Kb.openSite` */
export async function openProjectSite(
  { loadSettings, env }: Project,
  options: OpenSiteOptions,
): Promise<Site> {
  let configFiles: readonly string[] = []
  const settings = await loadSettings((files) => {
    configFiles = files
  })
  return open({
    settings,
    configFiles,
    // Like a check, a build goes on where nothing can be written.
    openContent: (ofSite) => openLiveContent(ofSite, !canPrepare(workspaceOf(ofSite.root))),
    links: options.links ?? {},
    drafts: options.drafts ?? false,
    env,
    now: () => new Date(),
  })
}
