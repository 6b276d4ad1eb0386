// Git is optional: without it, outside a repository or in a shallow clone, only the features that need it are missing.
import { execFile } from 'node:child_process'

/** Variables by name, as in `process.env`. */
export type GitEnvironment = Readonly<Record<string, string | undefined>>

/** A folder in which git runs. */
export interface GitFolder {
  readonly folder: string
  /** Default: the environment of this process. */
  readonly env?: GitEnvironment | undefined
  readonly signal?: AbortSignal | undefined
}

interface GitInput {
  /** Additional variables for git, such as another index. */
  readonly variables?: Readonly<Record<string, string>>
  readonly input?: string
  /** Encoding of the output; `latin1` keeps every byte. */
  readonly encoding?: 'utf8' | 'latin1'
}

/**
 * Returns the output of `git ARGS` in `folder`, or undefined if there is no git or no repository, or if the command
 * fails. Paths are printed unquoted, and git never prompts.
 */
export function runGit(
  { folder, env = process.env, signal }: GitFolder,
  args: readonly string[],
  { variables, input = '', encoding = 'utf8' }: GitInput = {},
): Promise<string | undefined> {
  const options = {
    cwd: folder,
    encoding,
    maxBuffer: 256 * 1024 * 1024,
    env: { ...gitEnvironment(env), ...variables },
    ...(signal && { signal }),
  }
  return new Promise((resolve) => {
    const child = execFile('git', [...GIT_SETTINGS, ...args], options, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    )
    // If git exits without reading its input, its exit code tells why.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

/** Settings that users change for display must not affect output that is parsed here. */
export const GIT_SETTINGS: readonly string[] = [
  ['core.quotePath', 'false'],
  ['log.showSignature', 'false'],
  ['log.follow', 'false'],
  ['log.diffMerges', 'off'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`])

// Git sets these for hooks, as paths relative to another folder.
const OF_ANOTHER_RUN = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX'])

/** Returns the environment for git: no locks, no prompts, no fetches. */
export function gitEnvironment(env: GitEnvironment): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !OF_ANOTHER_RUN.has(name))
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  }
}
