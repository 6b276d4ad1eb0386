// The user guide in content/ on the built-in server, with its pages: as its readers see it.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'
import type { ServerEnv } from '../../src/server/http/handle-request.ts'
import { PAGES } from '../server/pages/open-pages.ts'
import { configFile, createProject } from './project.ts'
import { API_KEY } from './server.ts'
import { syncInProcess } from './sync-in-process.ts'

const CONTENT = fileURLToPath(new URL('../../content', import.meta.url))

/** Syncs the guide to a database of its own. @param url public URL of the pages */
export async function openGuide(url: () => Promise<string> | string): Promise<Hono<ServerEnv>> {
  const { root } = createProject({
    'kb.config.ts': configFile({ project: 'guide', defaults: { status: 'published' } }),
  })
  cpSync(CONTENT, join(root, 'content'), { recursive: true })
  const { summary } = await syncInProcess(root)
  if (summary.failed + summary.skipped > 0) throw new Error(JSON.stringify(summary))
  const addresses = { ...PAGES.addresses, url: await url() }
  const guide = await openKnowledgeBase({
    db: join(root, '.kb/kb.db'),
    apiKey: API_KEY,
    pages: { ...PAGES, name: 'kb-sync', addresses },
  })
  onTestFinished(() => guide.close())
  return guide.app
}
