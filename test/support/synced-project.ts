// Projects that begin where a first sync to the built-in server has ended: each such sync starts a thread, which takes
// longer than most of what a test then looks at.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createProject, type Files, type TestProject } from './project.ts'

interface Synced {
  readonly root: string
  /** Every file by its absolute path. */
  readonly contents: ReadonlyMap<string, Buffer>
}

/**
 * @returns makes a synced project of these files: the first one is synced, and each later one is put back at the same
 *   place, because the state of a project belongs to the address of its database
 */
export function syncedProjectsOf(files: Files): () => Promise<TestProject> {
  let first: Promise<Synced> | undefined
  return async () => {
    first ??= syncOnce(files)
    const { root, contents } = await first
    rmSync(root, { recursive: true, force: true })
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    for (const [path, content] of contents) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }
    return createProject({}, root)
  }
}

async function syncOnce(files: Files): Promise<Synced> {
  const project = createProject(files)
  expect((await project.kb('sync')).code).toBe(0)
  const entries = readdirSync(project.root, { recursive: true, withFileTypes: true })
  const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
  return { root: project.root, contents: new Map(paths.map((path) => [path, readFileSync(path)])) }
}
