import { diffWorktree, type WorktreeChange } from './diff-worktree.ts'
import {
  createLastCommits,
  type Author,
  type Commit,
  type FoundMoves,
  readLog,
  type LogEntry,
} from './read-log.ts'
import { type GitEnvironment, runGit } from './run-git.ts'

interface PastTask {
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
  /** Whether `older` is `newer` itself or was known to its author. */
  readonly isIn: (older: Commit, newer: Commit) => Promise<boolean>
  /** Most commits first, and among equals the one who came last; no one where authors were not wanted. */
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

/** How much of the past git knows of a folder; `none`: no git, no repository, or no commit yet. */
type HistoryDepth = 'whole' | 'shallow' | 'none'

async function historyDepth(
  folder: string,
  env: GitEnvironment,
  signal?: AbortSignal,
): Promise<HistoryDepth> {
  const answer = await runGit(folder, ['rev-parse', '--is-shallow-repository', 'HEAD'], signal, { env })
  if (answer === undefined) return 'none'
  // A git that does not know the question repeats it.
  return answer.startsWith('false') ? 'whole' : 'shallow'
}

interface AuthorTally {
  /** To be given the whole log, newest first. */
  readonly add: (entry: LogEntry) => void
  /** Who changed a file: most commits first, and among equals the one who did so last. */
  readonly authorsOf: (source: string) => readonly Author[]
}

/** Counts who changed each of `sources`. A moved file is followed to its former place, other changes or not. */
function createAuthorTally(sources: Iterable<string>): AuthorTally {
  const tallies = new Map<string, Map<string, Tally>>()
  // Under which name each file goes at the point of the history that is being read.
  const names = new Map([...sources].map((source) => [source, source]))
  return {
    add: ({ author, changes }) => {
      for (const { source, from } of changes) {
        const wanted = names.get(source)
        if (wanted === undefined) continue
        count(tallies, wanted, author)
        if (from === undefined) continue
        names.delete(source)
        names.set(from, wanted)
      }
    },
    authorsOf: (source) => ranked(tallies.get(source)),
  }
}

interface Tally {
  readonly author: Author
  commits: number
}

/** Anyone who comes first was the last to change the file. */
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
