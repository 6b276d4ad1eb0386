// What git knows is a gift: without git, outside a repository or in a shallow clone, everything works but what needs it.
import { execFile } from 'node:child_process'

/** Variables by name, as in `process.env`. */
export type GitEnvironment = Readonly<Record<string, string | undefined>>

interface GitInput {
  /** Default: that of this process. */
  readonly env?: GitEnvironment
  /** For git itself, such as another index. */
  readonly variables?: Readonly<Record<string, string>>
  /** For the command's standard input. */
  readonly input?: string
  /** Of what it prints; `latin1` keeps every byte. */
  readonly encoding?: 'utf8' | 'latin1'
}

/**
 * What `git ARGS` prints in `folder`; undefined where there is no git, no repository, or the command fails. Paths are
 * printed as they are, and nothing is asked of anyone.
 */
export function runGit(
  folder: string,
  args: readonly string[],
  signal?: AbortSignal,
  { env = process.env, variables, input = '', encoding = 'utf8' }: GitInput = {},
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
    // A git that ends without reading is no failure of its own: its exit code tells.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

/** What users configure for their own eyes must not change what is read here. */
export const GIT_SETTINGS: readonly string[] = [
  ['core.quotePath', 'false'],
  ['log.showSignature', 'false'],
  ['log.follow', 'false'],
  ['log.diffMerges', 'off'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`])

// Git sets these for its hooks, as paths from another folder than the one we run it in.
const OF_ANOTHER_RUN = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX'])

/** The environment for git: it locks nothing, asks no one, and fetches nothing. */
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
