import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type GitFolder, runGit } from './run-git.ts'

/** A difference between a file in the working tree and a commit. Sources are relative to the folder, in Unicode NFC. */
export interface WorktreeChange {
  readonly kind: 'added' | 'changed' | 'deleted' | 'moved'
  readonly source: string
  /** Its path in the commit, if it existed there. */
  readonly from?: string
  /** Object id of the text in the commit, for `readBlobs`. */
  readonly blob?: string
  /** True if the file was moved and its text is unchanged. */
  readonly isSameText: boolean
}

/**
 * Returns the differences below `folder` between `commit` and the files on disk, including untracked ones. Detects
 * moved files if at least half of the text is unchanged. Returns undefined if git cannot tell.
 */
export async function diffWorktree(
  git: GitFolder,
  commit: string,
): Promise<readonly WorktreeChange[] | undefined> {
  const ask: Ask = (args, variables = {}) => runGit(git, args, { variables })
  const untracked = await ask(['ls-files', '--others', '--exclude-standard', '-z', '--', '.'])
  if (untracked === undefined) return undefined
  if (untracked === '') return readDiff(commit, ask)
  return withUntracked(git.folder, ask, (variables) => readDiff(commit, (args) => ask(args, variables)))
}

type Variables = Readonly<Record<string, string>>

type Ask = (args: readonly string[], variables?: Variables) => Promise<string | undefined>

async function readDiff(commit: string, ask: Ask): Promise<WorktreeChange[] | undefined> {
  const output = await ask([...DIFF, commit, '--', '.'])
  return output === undefined ? undefined : parseRawDiff(output)
}

const DIFF = ['diff', '--raw', '--no-ext-diff', '--no-abbrev', '-z', '-M', '--relative']

/** Adds new files to a copy of the index, because only files in an index can be detected as moved. */
async function withUntracked<T>(
  folder: string,
  ask: Ask,
  act: (variables: Variables) => Promise<T | undefined>,
): Promise<T | undefined> {
  const index = await ask(['rev-parse', '--git-path', 'index'])
  if (index === undefined) return undefined
  const temporary = await mkdtemp(join(tmpdir(), 'kb-sync-'))
  try {
    const variables = { GIT_INDEX_FILE: join(temporary, 'index') }
    // The index does not exist before the first `git add`.
    await copyFile(resolve(folder, index.replace(/\n$/, '')), variables.GIT_INDEX_FILE).catch(() => undefined)
    const added = await ask(['add', '--intent-to-add', '--', '.'], variables)
    return added === undefined ? undefined : await act(variables)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Parses `:mode mode blob blob STATUS`, followed by one name, or two for a moved file. */
function parseRawDiff(output: string): WorktreeChange[] {
  const parts = output.split('\0')
  const changes: WorktreeChange[] = []
  for (let at = 0; at < parts.length - 1;) {
    const [, , blob = '', , status = ''] = (parts[at] ?? '').split(' ')
    const first = (parts[at + 1] ?? '').normalize('NFC')
    const isMoved = status.startsWith('R')
    const source = isMoved ? (parts[at + 2] ?? '').normalize('NFC') : first
    changes.push(changeOf(status, { source, from: first, blob }))
    at += isMoved ? 3 : 2
  }
  return changes
}

function changeOf(
  status: string,
  { source, from, blob }: { source: string; from: string; blob: string },
): WorktreeChange {
  if (status.startsWith('A')) return { kind: 'added', source, isSameText: false }
  const kind = status.startsWith('R') ? 'moved' : status.startsWith('D') ? 'deleted' : 'changed'
  return { kind, source, from, blob, isSameText: status === 'R100' }
}
