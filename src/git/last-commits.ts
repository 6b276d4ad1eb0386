import pLimit from 'p-limit'
import { type GitEnvironment, runGit } from './run-git.ts'
import { streamGit } from './stream-git.ts'

export interface Commit {
  readonly id: string
  /** As git abbreviates it. */
  readonly shortId: string
  /** Calendar date in the committer's time zone. */
  readonly date: string
  /** By the clock of whoever made it. */
  readonly timeMs: number
}

export interface LastCommits {
  /** The commit that last changed the text of each wanted file that git knows. */
  readonly commits: ReadonlyMap<string, Commit>
  /** Whether `older` is `newer` itself or was known to whoever made it. */
  readonly isIn: (older: Commit, newer: Commit) => Promise<boolean>
}

/**
 * Finds the last change of each of `sources` (relative to `folder`, in Unicode NFC) in the history of HEAD, which is
 * read only as far back as needed. A file that was moved with its text unchanged is followed to its former place.
 */
export async function readLastCommits(
  folder: string,
  sources: readonly string[],
  env: GitEnvironment,
  signal?: AbortSignal,
): Promise<LastCommits> {
  const parents = new Map<string, readonly string[]>()
  const commits = new Map<string, Commit>()
  // Under which name each file goes at the point of the history that is being read.
  const names = new Map(sources.map((source) => [source, source]))
  for await (const { commit, parentIds, changes } of readHistory(folder, env, signal)) {
    parents.set(commit.id, parentIds)
    for (const { source, from } of changes) {
      const wanted = names.get(source)
      if (wanted === undefined) continue
      names.delete(source)
      if (from === undefined) commits.set(wanted, commit)
      else names.set(from, wanted)
    }
    if (names.size === 0) break
  }
  const contains = createContains(folder, env, signal)
  return {
    commits,
    isIn: async (older, newer) => {
      if (isAncestor(older.id, newer.id, parents)) return true
      return older.timeMs - newer.timeMs <= CLOCKS_DIFFER_MS && contains(older.id, newer.id)
    },
  }
}

/** What is dated later than this after another commit is not looked for among its ancestors: no clock is that wrong. */
const CLOCKS_DIFFER_MS = 86_400_000

type Contains = (older: string, newer: string) => Promise<boolean>

/** Asks git, once for each pair; where it does not know, nothing is held against anybody. */
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

interface HistoryEntry {
  readonly commit: Commit
  /** Those among the commits that touch the folder. */
  readonly parentIds: readonly string[]
  /** `from` is set where a file was moved, its text unchanged. */
  readonly changes: { readonly source: string; readonly from?: string }[]
}

// In the order of dates, which git can print at once: to sort by descent, it reads the whole history first. Only files
// moved as they are: to compare texts, git may have to fetch them, and a changed text ends the search anyway.
const LOG = ['log', '--parents', '--relative', '--name-status', '-z', '-M100%', '--no-color']

async function* readHistory(
  folder: string,
  env: GitEnvironment,
  signal?: AbortSignal,
): AsyncGenerator<HistoryEntry, void> {
  let entry: HistoryEntry | undefined
  const parts = streamGit(folder, [...LOG, '--format=%x01%H %h %cs %ct %P', '--', '.'], env, signal)
  for await (const part of parts) {
    if (part.startsWith('\u0001')) {
      if (entry !== undefined) yield entry
      entry = startOf(part.slice(1))
      continue
    }
    const status = part.trim()
    if (entry === undefined || status === '') continue
    const isMoved = status.startsWith('R')
    const first = await nextOf(parts)
    entry.changes.push(isMoved ? { source: await nextOf(parts), from: first } : { source: first })
  }
  if (entry !== undefined) yield entry
}

function startOf(header: string): HistoryEntry {
  const [id = '', shortId = '', date = '', seconds = '', ...parentIds] = header.trim().split(' ')
  return { commit: { id, shortId, date, timeMs: Number(seconds) * 1000 }, parentIds, changes: [] }
}

async function nextOf(parts: AsyncGenerator<string, void>): Promise<string> {
  const next = await parts.next()
  return next.done === true ? '' : next.value.normalize('NFC')
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
