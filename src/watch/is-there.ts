import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { WatchState } from './watch-state.ts'

/** Whether a file stands where it did, by its path relative to the project as diagnostics name it. */
export function isFileThere({ project }: WatchState, file: string): boolean {
  return existsSync(join(project.settings.root, file))
}

/** The same for a source, that is, relative to the content folder. */
export function isSourceThere({ project, articles, held }: WatchState, source: string): boolean {
  return (
    articles.has(source) || held.sources.has(source) || existsSync(join(project.settings.contentRoot, source))
  )
}
