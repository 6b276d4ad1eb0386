import pLimit from 'p-limit'
import type { Commit, LogEntry } from './read-log.ts'
import { type GitEnvironment, runGit } from './run-git.ts'

interface LastCommits {
  /** To be given the log, newest first. */
  readonly add: (entry: LogEntry) => void
  /** Whether the rest of the log cannot say more. */
  readonly isComplete: () => boolean
  /** The commit that last changed the text of a wanted file; undefined where git has never seen it. */
  readonly commitOf: (source: string) => Commit | undefined
  /** Whether `older` is `newer` itself or was known to its author. */
  readonly isIn: (older: Commit, newer: Commit) => Promise<boolean>
}

/** Finds the last change of each of `sources`. A file that was moved, its text unchanged, is followed to its former place. */
export function createLastCommits(
  sources: Iterable<string>,
  folder: string,
  env: GitEnvironment,
  signal?: AbortSignal,
): LastCommits {
  const parents = new Map<string, readonly string[]>()
  const commits = new Map<string, Commit>()
  // Under which name each file goes at the point of the history that is being read.
  const names = new Map([...sources].map((source) => [source, source]))
  const contains = createContains(folder, env, signal)
  return {
    add: ({ commit, parentIds, changes }) => {
      parents.set(commit.id, parentIds)
      for (const { source, from, isSameText } of changes) {
        const wanted = names.get(source)
        if (wanted === undefined) continue
        names.delete(source)
        if (isSameText && from !== undefined) names.set(from, wanted)
        else commits.set(wanted, commit)
      }
    },
    isComplete: () => names.size === 0,
    commitOf: (source) => commits.get(source),
    isIn: async (older, newer) => {
      if (isAncestor(older.id, newer.id, parents)) return true
      return older.timeMs - newer.timeMs <= CLOCKS_DIFFER_MS && contains(older.id, newer.id)
    },
  }
}

/** What is dated later than this after another commit is not looked for among its ancestors: no clock is that wrong. */
const CLOCKS_DIFFER_MS = 86_400_000

type Contains = (older: string, newer: string) => Promise<boolean>

/** Asks git, once for each pair; where it does not know, nothing is held against anyone. */
function createContains(folder: string, env: GitEnvironment, signal?: AbortSignal): Contains {
  const limit = pLimit(4)
  const known = new Map<string, Promise<boolean>>()
  const ask = async (older: string, newer: string) => {
    const left = await runGit(folder, ['rev-list', '--max-count=1', older, '--not', newer], signal, { env })
    return left === undefined || left === ''
  }
  return (older, newer) => {
    const pair = `${older} ${newer}`
    const answer = known.get(pair) ?? limit(() => ask(older, newer))
    known.set(pair, answer)
    return answer
  }
}

/** Whether what was read leads from one to the other; it may lack steps where dates do not follow descent. */
function isAncestor(older: string, newer: string, parents: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set([newer])
  const pending = [newer]
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id === older) return true
    for (const parent of parents.get(id) ?? []) {
      if (seen.has(parent)) continue
      seen.add(parent)
      pending.push(parent)
    }
  }
  return false
}
