import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Adapter } from '../adapter/adapter.ts'
import type { ProjectPlace } from '../adapter/place-project.ts'
import { configCandidates } from './find-project.ts'

/**
 * Absolute paths that a build which watches has to watch: a folder stands for what is new in it. A configuration that
 * cannot be read is among them, so that mending it is seen.
 */
export async function watchedFiles(adapter: Adapter, project: ProjectPlace): Promise<string[]> {
  const candidates = configCandidates(project).filter((file) => existsSync(file))
  const watched = await adapter.watched().catch(() => undefined)
  if (watched === undefined) return candidates
  const { content, configFiles } = watched
  const below = existsSync(content) ? readdirSync(content, { recursive: true, withFileTypes: true }) : []
  const files = below.map(({ parentPath, name }) => join(parentPath, name))
  return [...new Set([...candidates, ...configFiles, content, ...files])]
}
