// A project with an open preview of live content. The test determines when files are scanned.
import { onTestFinished } from 'vitest'
import type { KbConfig } from '../../../src/core/config/schema.ts'
import { normaliseConfig, type Settings } from '../../../src/core/config/settings.ts'
import { createSourceFilter } from '../../../src/content/source/find-sources.ts'
import { createLiveContent, type LiveContent } from '../../../src/watch/live-content/live-content.ts'
import { openRenderCache } from '../../../src/content/pipeline/render-cache.ts'
import type { PreviewView } from '../../../src/watch/preview/preview-state.ts'
import { type Preview, startPreview } from '../../../src/watch/preview/start-preview.ts'
import { workspaceOf } from '../../../src/sync/state/workspace.ts'
import { contentOptions } from '../../../src/content/pipeline/content-options.ts'
import { contentPrefix } from '../../../src/core/paths.ts'
import { createProject, type Files, type TestProject } from '../../support/project.ts'

export interface PreviewProject extends TestProject {
  readonly settings: Settings
  readonly preview: Preview
  /** Returns the URL of a page, by its path. */
  readonly url: (path: string) => string
  /** The last update of the preview. */
  readonly view: () => PreviewView
  /** Scans all files, and updates the preview. */
  readonly look: (changes?: Partial<PreviewView>) => Promise<void>
  /** Writes files, and scans them. */
  readonly save: (files: Files) => Promise<void>
  /** Errors that prevented pages from being created. */
  readonly failures: readonly unknown[]
}

export const SYNC: PreviewView['sync'] = {
  target: 'builtin',
  state: 'synced',
  lastSync: '2026-03-01T11:59:00.000Z',
  pending: 0,
  sent: 0,
  failures: [],
  orphans: 0,
}

export interface PreviewProjectOptions {
  readonly config?: KbConfig
  readonly host?: string
  /** True if the files are not read until the test requests it. */
  readonly isUnread?: boolean
}

/** Opens a preview of these files until the end of the test. */
export async function openPreviewProject(
  files: Files,
  { config = {}, host = '127.0.0.1', isUnread = false }: PreviewProjectOptions = {},
): Promise<PreviewProject> {
  const project = createProject(files)
  const settings = normaliseConfig(
    { project: 'Handbook', defaults: { status: 'published' }, ...config },
    { root: project.root, configFile: undefined, packageName: undefined, programVersion: 'test' },
  )
  const content = await openContent(settings)
  const failures: unknown[] = []
  const preview = await startPreview({
    settings,
    host,
    port: 0,
    isPortRequired: false,
    now: () => new Date('2026-03-01T12:00:00Z'),
    onFailure: (error) => failures.push(error),
  })
  onTestFinished(() => preview.close())
  let view: PreviewView | undefined
  const look: PreviewProject['look'] = async (changes) => {
    const { content: loaded, touched } = await content.refresh()
    view = {
      content: loaded,
      diagnostics: loaded.diagnostics,
      heldBack: heldBack(content, settings),
      sync: SYNC,
      ...changes,
    }
    preview.update(view, touched)
  }
  if (!isUnread) await look()
  return {
    ...project,
    settings,
    preview,
    failures,
    url: (path) => new URL(path, preview.url).href,
    view: () => {
      if (view === undefined) throw new Error('Nothing was told yet.')
      return view
    },
    look,
    save: (written) => {
      project.write(written)
      return look()
    },
  }
}

async function openContent(settings: Settings): Promise<LiveContent> {
  const content = createLiveContent({
    options: contentOptions(settings),
    isIncluded: await createSourceFilter(settings.include, settings.exclude),
    openCache: () => openRenderCache(workspaceOf(settings.root).cacheFile),
    now: () => Date.now(),
  })
  onTestFinished(() => content.close())
  return content
}

function heldBack(content: LiveContent, settings: Settings): ReadonlySet<string> {
  const prefix = contentPrefix(settings)
  const errors = (content.current()?.diagnostics ?? []).filter(({ severity }) => severity === 'error')
  return new Set([
    ...content.faulty(),
    ...content.blocked(),
    ...errors.map(({ file }) => file.slice(prefix.length)),
  ])
}
