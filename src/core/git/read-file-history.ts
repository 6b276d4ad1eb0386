import { findRepository } from './find-repository.ts'
import { diffWorktree, type WorktreeChange } from './diff-worktree.ts'
import {
  createLastCommits,
  type Author,
  type Commit,
  type FoundMoves,
  readLog,
  type LogEntry,
} from './read-log.ts'
import { type GitFolder, runGit } from './run-git.ts'

interface HistoryTask extends GitFolder {
  /** Relative to the folder. */
  readonly sources: readonly string[]
  /** True to list authors, which requires reading the whole history. */
  readonly wantsAuthors: boolean
}

/** Why the history of files is unknown: no program, no repository or commit, or a clone without the history. */
type NoHistory = 'no-git' | 'none' | 'shallow'

/** The history of files, or why it is unknown. */
export type FileHistory = { readonly kind: NoHistory } | WholeHistory

/** For readers, with the fix. */
export const UNKNOWN_HISTORIES: Readonly<Record<NoHistory, string>> = {
  'no-git': 'git was not found (install it, or add its folder to PATH)',
  none: 'git has no history of these files',
  shallow: 'this clone lacks the history (run git fetch --unshallow)',
}

/** Identifies files by their name on disk, even if they were moved since the last commit. */
export interface WholeHistory {
  readonly kind: 'whole'
  /** Returns the commit that last changed the text of a file; undefined if the file is not in git. */
  readonly lastCommitOf: (source: string) => Commit | undefined
  /** Returns true if the text on disk differs from HEAD. */
  readonly isEdited: (source: string) => boolean
  /** Returns true if `older` is `newer` or one of its ancestors. */
  readonly isIn: (older: Commit, newer: Commit) => Promise<boolean>
  /** Ordered by number of commits, then by latest commit; empty without `wantsAuthors`. */
  readonly authorsOf: (source: string) => readonly Author[]
}

/** Reads the history of HEAD once for all files, only as far back as needed. */
export async function readFileHistory(task: HistoryTask): Promise<FileHistory> {
  const { sources, wantsAuthors } = task
  const depth = await historyDepth(task)
  if (depth !== 'whole') return { kind: depth }
  const changes = await diffWorktree(task, 'HEAD')
  if (changes === undefined) return { kind: 'none' }
  const changed = new Map(changes.map((change) => [change.source, change]))
  const names = namesInHead(sources, changed)
  const inHead = new Set(names.values())
  const commits = createLastCommits(inHead, task)
  const authors = createAuthorTally(wantsAuthors ? inHead : [])
  const moves = wantsAuthors ? await movesFoundFor(task) : 'exact'
  if (inHead.size > 0) {
    for await (const entry of readLog(task, moves)) {
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

/** Returns the names of files in HEAD, by their names on disk, without new files. */
function namesInHead(sources: readonly string[], changed: ReadonlyMap<string, WorktreeChange>) {
  const names = new Map<string, string>()
  for (const source of sources) {
    const name = source.normalize('NFC')
    const change = changed.get(name)
    const inHead = change === undefined ? name : change.from
    if (inHead !== undefined) names.set(name, inHead)
  }
  return names
}

/** A partial clone would have to fetch each text to compare it: there, only files moved unchanged count as moved. */
async function movesFoundFor(git: GitFolder): Promise<FoundMoves> {
  const lazy = await runGit(git, ['config', '--get-regexp', '^remote\\..*\\.promisor$'])
  return lazy === undefined ? 'similar' : 'exact'
}

/** How much of a folder's history git has. */
async function historyDepth(git: GitFolder) {
  const answer = await runGit(git, ['rev-parse', '--is-shallow-repository', 'HEAD'])
  if (answer === undefined) return (await isGitMissing(git)) ? 'no-git' : 'none'
  // A git version without this option prints it unchanged.
  return answer.startsWith('false') ? 'whole' : 'shallow'
}

/** True if a folder is in a repository, but there is no program `git`. */
export async function isGitMissing(git: GitFolder): Promise<boolean> {
  if (findRepository(git.folder) === undefined) return false
  return (await runGit(git, ['--version'])) === undefined
}

/** Counts the commits of each author. A moved file is followed to its former path, even if it was also changed. */
function createAuthorTally(sources: Iterable<string>) {
  const tallies = new Map<string, Map<string, Tally>>()
  // The current name of each file, by its name at this point of the history.
  const names = new Map([...sources].map((source) => [source, source]))
  return {
    /** Takes the next entry of the whole log, newest first. */
    add: ({ author, changes }: LogEntry) => {
      for (const { source, from } of changes) {
        const name = names.get(source)
        if (name === undefined) continue
        count(tallies, name, author)
        if (from === undefined) continue
        names.delete(source)
        names.set(from, name)
      }
    },
    /** Returns the authors of a file, ordered by number of commits, then by latest commit. */
    authorsOf: (source: string) => ranked(tallies.get(source)),
  }
}

interface Tally {
  readonly author: Author
  commits: number
}

/** The first author in the log made the latest change. */
function count(tallies: Map<string, Map<string, Tally>>, file: string, author: Author): void {
  const authors = tallies.get(file) ?? new Map<string, Tally>()
  tallies.set(file, authors)
  const key = (author.email || author.name).toLowerCase()
  const tally = authors.get(key) ?? { author, commits: 0 }
  tally.commits++
  authors.set(key, tally)
}

function ranked(authors: ReadonlyMap<string, Tally> = new Map()): readonly Author[] {
  return [...authors.values()].toSorted((a, b) => b.commits - a.commits).map(({ author }) => author)
}
