import { spawn } from 'node:child_process'
import pLimit from 'p-limit'
import { addDays } from '../calendar-date.ts'
import { type GitFolder, GIT_SETTINGS, gitEnvironment, runGit } from './run-git.ts'

export interface Commit {
  readonly id: string
  /** Abbreviated by git. */
  readonly shortId: string
  /** By the committer's clock. */
  readonly timeMs: number
  /** The same time as a calendar date in UTC. */
  readonly date: string
}

export interface Author {
  readonly name: string
  readonly email: string
}

export interface LogEntry {
  readonly commit: Commit
  /** The parents that also changed the folder. */
  readonly parentIds: readonly string[]
  /** As mapped by .mailmap. */
  readonly author: Author
  /** Only files that exist after the commit. */
  readonly changes: LogChange[]
}

/** A file that a commit wrote; sources are relative to the folder, in Unicode NFC. */
interface LogChange {
  readonly source: string
  /** Former path of a moved file. */
  readonly from?: string
  /** True if the file was moved and its text is unchanged. */
  readonly isSameText: boolean
}

/** Which files count as moved: only unchanged ones, or also similar ones, for which git compares texts. */
export type FoundMoves = 'exact' | 'similar'

// In date order, which git can print at once. For topological order, it would read the whole history first.
const LOG = ['log', '--parents', '--relative', '--name-status', '-z', '--no-color']
const MOVES = { exact: '-M100%', similar: '-M' } as const
const FORMAT = ['%H', '%h', '%ct', '%P', '%aN', '%aE'].join('%x02')
const SECONDS_PER_DAY = 86_400

/** Yields the commits of HEAD that change the folder, newest first. Git ends when the consumer stops. */
export async function* readLog(git: GitFolder, moves: FoundMoves): AsyncGenerator<LogEntry, void> {
  let entry: LogEntry | undefined
  const parts = streamGit(git, [...LOG, MOVES[moves], `--format=%x01${FORMAT}`, '--', '.'])
  for await (const part of parts) {
    if (part.startsWith('\u0001')) {
      if (entry !== undefined) yield entry
      entry = startOf(part.slice(1))
      continue
    }
    const status = part.trim()
    if (entry === undefined || status === '') continue
    const first = await nextOf(parts)
    if (status.startsWith('R'))
      entry.changes.push({ source: await nextOf(parts), from: first, isSameText: status === 'R100' })
    else if (status !== 'D') entry.changes.push({ source: first, isSameText: false })
  }
  if (entry !== undefined) yield entry
}

function startOf(header: string): LogEntry {
  const [id = '', shortId = '', time = '', parents = '', name = '', email = ''] = header.split('\u0002')
  const seconds = Number(time)
  const date = addDays('1970-01-01', Math.floor(seconds / SECONDS_PER_DAY))
  return {
    commit: { id, shortId, timeMs: seconds * 1000, date },
    parentIds: parents.split(' '),
    author: { name, email },
    changes: [],
  }
}

async function nextOf(parts: AsyncGenerator<string, void>): Promise<string> {
  const next = await parts.next()
  return next.done === true ? '' : next.value.normalize('NFC')
}

/**
 * Yields the output of `git ARGS` in `folder`, split at each U+0000 while git runs. Git ends when the consumer stops.
 * If git fails, the output ends.
 */
async function* streamGit({ folder, env = process.env, signal }: GitFolder, args: readonly string[]) {
  const child = spawn('git', [...GIT_SETTINGS, ...args], {
    cwd: folder,
    env: gitEnvironment(env),
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(signal && { signal }),
  })
  // Without git, or if the signal aborts it, the output ends.
  child.on('error', () => undefined)
  child.stdout.setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of child.stdout as AsyncIterable<string>) {
      const parts = `${rest}${chunk}`.split('\0')
      rest = parts.pop() ?? ''
      yield* parts
    }
  } finally {
    child.kill()
  }
  if (rest !== '') yield rest
}

/** Finds the last commit that changed each source. A file that was moved unchanged is followed to its former path. */
export function createLastCommits(sources: Iterable<string>, git: GitFolder) {
  const parents = new Map<string, readonly string[]>()
  const commits = new Map<string, Commit>()
  // The current name of each file, by its name at this point of the history.
  const names = new Map([...sources].map((source) => [source, source]))
  const contains = createContains(git)
  return {
    /** Takes the next entry of the log, newest first. */
    add: ({ commit, parentIds, changes }: LogEntry) => {
      parents.set(commit.id, parentIds)
      for (const { source, from, isSameText } of changes) {
        const name = names.get(source)
        if (name === undefined) continue
        names.delete(source)
        if (isSameText && from !== undefined) names.set(from, name)
        else commits.set(name, commit)
      }
    },
    /** True if the rest of the log cannot change the result. */
    isComplete: () => names.size === 0,
    /** Returns the commit that last changed the text of a file; undefined if the file is not in git. */
    commitOf: (source: string) => commits.get(source),
    /** Returns true if `older` is `newer` or one of its ancestors. */
    isIn: async (older: Commit, newer: Commit) => {
      if (isAncestor(older.id, newer.id, parents)) return true
      return older.timeMs - newer.timeMs <= CLOCKS_DIFFER_MS && contains(older.id, newer.id)
    },
  }
}

/** A commit dated later than another by more than this is not searched among its ancestors: no clock is that wrong. */
const CLOCKS_DIFFER_MS = 86_400_000

/** Asks git once for each pair of commits. If git cannot tell, assumes the harmless answer. */
function createContains(git: GitFolder) {
  const limit = pLimit(4)
  const known = new Map<string, Promise<boolean>>()
  const ask = async (older: string, newer: string) => {
    const left = await runGit(git, ['rev-list', '--max-count=1', older, '--not', newer])
    return left === undefined || left === ''
  }
  return (older: string, newer: string) => {
    const pair = `${older} ${newer}`
    const answer = known.get(pair) ?? limit(() => ask(older, newer))
    known.set(pair, answer)
    return answer
  }
}

/**
 * Returns true if the known parents lead from one commit to the other. Some parents may be missing if dates do not
 * follow ancestry.
 */
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
