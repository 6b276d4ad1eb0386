// Content in a real repository, for the rules that use its history.
import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { slugsChanged } from '../../../../src/inspect/check/history/slugs-changed.ts'
import {
  type HistoryContext,
  translationsOutdated,
} from '../../../../src/inspect/check/history/find-outdated-translations.ts'
import { type Files, loadFolder, writeFiles } from '../../../content/load-files.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import type { SourceProblem } from '../../../../src/content/source/source-problem.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface GitProject {
  /** The repository's folder. */
  readonly root: string
  readonly contentRoot: string
  readonly git: (...args: readonly string[]) => string
  /** Files by source; undefined deletes one. */
  readonly write: (files: Readonly<Record<string, string | undefined>>) => void
  readonly move: (from: string, to: string) => void
  /** Writes files and commits everything, optionally at a given time; returns the commit's id. */
  readonly commit: (files?: Readonly<Record<string, string | undefined>>, time?: string) => string
  readonly outdated: (env?: Environment) => Promise<readonly SourceProblem[]>
  readonly changedSlugs: (env?: Environment) => Promise<readonly SourceProblem[]>
}

// No user configuration, and the same ids in every run.
const IDENTITY = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_AUTHOR_DATE: '2026-03-01T12:00:00Z',
  GIT_COMMITTER_DATE: '2026-03-01T12:00:00Z',
}

/** A repository with its articles in `folder`. */
export function createGitProject(files: Files, folder = 'my docs/content'): GitProject {
  const root = temporaryFolder()
  const contentRoot = join(root, folder)
  runIn(root, ['init', '--quiet', '--initial-branch=main', '--template='])
  writeFiles(contentRoot, files)
  return projectIn(root, contentRoot)
}

/** A clone of the project with these arguments, as another person has it. */
export function cloneProject(project: GitProject, ...args: readonly string[]): GitProject {
  const root = temporaryFolder()
  runIn(root, ['clone', '--quiet', ...args, `file://${project.root}`, '.'])
  return projectIn(root, join(root, project.contentRoot.slice(project.root.length + 1)))
}

function projectIn(root: string, contentRoot: string): GitProject {
  const git = (...args: readonly string[]) => runIn(root, args)
  const write: GitProject['write'] = (files) => {
    for (const [source, text] of Object.entries(files)) {
      if (text === undefined) rmSync(join(contentRoot, source))
      else writeFiles(contentRoot, { [source]: text })
    }
  }
  const contextFor = async (env: Environment): Promise<HistoryContext> => ({
    git: { folder: contentRoot, env: { PATH: process.env['PATH'], ...env } },
    contentPrefix: 'content/',
    articles: (await loadFolder(contentRoot)).articles,
    defaults: { language: 'en', status: 'draft' },
  })
  return {
    root,
    contentRoot,
    git,
    write,
    move: (from, to) => renameSync(join(contentRoot, from), join(contentRoot, to)),
    commit: (files = {}, time = '2026-03-01T12:00:00Z') => {
      write(files)
      git('add', '--all', ':!.kb', ':!*/.kb')
      runIn(root, ['commit', '--quiet', '--allow-empty', '--message', 'change'], { GIT_COMMITTER_DATE: time })
      return readHead(root)
    },
    outdated: async (env = {}) => translationsOutdated(await contextFor(env)),
    changedSlugs: async (env = {}) => slugsChanged(await contextFor(env)),
  }
}

/** Reads the id of the latest commit on a branch from its file, because asking git takes a process. */
function readHead(root: string): string {
  const read = (name: string) => readFileSync(join(root, '.git', name), 'utf8').trim()
  return read(read('HEAD').replace(/^ref: /, ''))
}

/** Runs git without user settings. */
export function runIn(cwd: string, args: readonly string[], env: Environment = {}): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...IDENTITY, ...env },
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}
