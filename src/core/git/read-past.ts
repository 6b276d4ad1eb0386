import { diffWorktree, type WorktreeChange } from './diff-worktree.ts'
import { historyDepth } from './history-depth.ts'
import { createLastCommits } from './last-commits.ts'
import { type Author, type Commit, type FoundMoves, readLog } from './read-log.ts'
import { type GitEnvironment, runGit } from './run-git.ts'
import { createAuthorTally } from './tally-authors.ts'

export interface PastTask {
  readonly folder: string
  /** Relative to the folder. */
  readonly sources: readonly string[]
  /** For this, the whole history has to be read. */
  readonly wantsAuthors: boolean
  readonly env: GitEnvironment
  readonly signal?: AbortSignal | undefined
}

/** What git knows of files; `none`: no git, no repository, or no commit; `shallow`: a clone that lacks the history. */
export type Past = { readonly kind: 'none' | 'shallow' } | WholePast

/** Files are asked for by the name they have on disk, moved or not since the last commit. */
export interface WholePast {
  readonly kind: 'whole'
  /** The commit that last changed the text of a file; undefined where git has never seen it. */
  readonly lastCommitOf: (source: string) => Commit | undefined
  /** Whether the text on disk is another one than in HEAD. */
  readonly isEdited: (source: string) => boolean
  /** Whether `older` is `newer` itself or was known to whoever made it. */
  readonly isIn: (older: Commit, newer: Commit) => Promise<boolean>
  /** Most commits first, and among equals whoever came last; nobody where authors were not wanted. */
  readonly authorsOf: (source: string) => readonly Author[]
}

/** Reads the history of HEAD once, for all files, and only as far back as needed. */
export async function readPast({ folder, sources, wantsAuthors, env, signal }: PastTask): Promise<Past> {
  const depth = await historyDepth(folder, env, signal)
  if (depth !== 'whole') return { kind: depth }
  const changes = await diffWorktree(folder, 'HEAD', env, signal)
  if (changes === undefined) return { kind: 'none' }
  const changed = new Map(changes.map((change) => [change.source, change]))
  const names = namesInHead(sources, changed)
  const inHead = new Set(names.values())
  const commits = createLastCommits(inHead, folder, env, signal)
  const authors = createAuthorTally(wantsAuthors ? inHead : [])
  const moves = wantsAuthors ? await movesFoundFor(folder, env, signal) : 'exact'
  if (inHead.size > 0) {
    for await (const entry of readLog(folder, moves, env, signal)) {
      commits.add(entry)
      authors.add(entry)
      if (!wantsAuthors && commits.isComplete()) break
    }
  }
  const nameOf = (source: string) => names.get(source.normalize('NFC')) ?? ''
  return {
    kind: 'whole',
    lastCommitOf: (source) => commits.commitOf(nameOf(source)),
    isEdited: (source) => changed.get(source.normalize('NFC'))?.isSameText === false,
    isIn: commits.isIn,
    authorsOf: (source) => authors.authorsOf(nameOf(source)),
  }
}

/** What files are called in HEAD, by their names on disk; new ones are left out. */
function namesInHead(
  sources: readonly string[],
  changed: ReadonlyMap<string, WorktreeChange>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const source of sources) {
    const name = source.normalize('NFC')
    const change = changed.get(name)
    const inHead = change === undefined ? name : change.from
    if (inHead !== undefined) names.set(name, inHead)
  }
  return names
}

/** To compare texts, a clone without them would have to fetch each: there, only files moved as they are count as moved. */
async function movesFoundFor(folder: string, env: GitEnvironment, signal?: AbortSignal): Promise<FoundMoves> {
  const lazy = await runGit(folder, ['config', '--get-regexp', '^remote\\..*\\.promisor$'], signal, { env })
  return lazy === undefined ? 'similar' : 'exact'
}
