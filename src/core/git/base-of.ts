import { readFileSync } from 'node:fs'
import { type GitFolder, runGit } from './run-git.ts'

/**
 * Returns the commit that a change is compared with: in a pull or merge request, the merge base with the target branch,
 * otherwise HEAD. Returns undefined if git does not know it: no repository, no commit yet, or a shallow clone.
 */
export async function baseOf(git: GitFolder): Promise<string | undefined> {
  const { env = process.env } = git
  const ask = async (...args: readonly string[]) => (await runGit(git, args))?.split('\n')[0]
  const commit = env['CI_MERGE_REQUEST_DIFF_BASE_SHA']
  if (isSet(commit)) {
    const isCommit = /^[0-9a-f]{40,64}$/.test(commit)
    return isCommit ? ask('rev-parse', '--verify', '--quiet', `${commit}^{commit}`) : undefined
  }
  const branch = env['GITHUB_BASE_REF']
  if (isSet(branch)) return ask('merge-base', 'HEAD', `refs/remotes/origin/${branch}`)
  return ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== ''
}

/**
 * Returns the base commit of a pull request on GitHub or a merge request on GitLab, or undefined outside of one or if
 * the clone does not contain it.
 */
export async function pullRequestBase(git: GitFolder): Promise<string | undefined> {
  const { env = process.env } = git
  const isPullRequest = [env['GITHUB_BASE_REF'], env['CI_MERGE_REQUEST_DIFF_BASE_SHA']].some(Boolean)
  if (!isPullRequest) return undefined
  return (await baseOf(git)) ?? (await baseOfEvent(git, env['GITHUB_EVENT_PATH']))
}

/** Returns the base commit from GitHub's event. A shallow clone may have that commit but not the branch. */
async function baseOfEvent(git: GitFolder, file: string | undefined) {
  const commit = readBase(file)
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return undefined
  const found = await runGit(git, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`])
  return found?.trim()
}

function readBase(file: string | undefined): string | undefined {
  try {
    const event = JSON.parse(readFileSync(file ?? '', 'utf8')) as {
      pull_request?: { base?: { sha?: string } }
    } | null
    return event?.pull_request?.base?.sha
  } catch {
    return undefined
  }
}

/**
 * Returns the files that differ from `base`, relative to the repository. Returns undefined if git cannot tell, as a
 * shallow clone may lack the commits in between.
 */
export async function changedFiles(git: GitFolder, base: string): Promise<ReadonlySet<string> | undefined> {
  const ask = (...range: readonly string[]) =>
    runGit(git, ['diff', '--name-only', '-z', '--no-renames', ...range, '--'])
  // Without a merge base, as in a shallow clone, the two states are compared.
  const names = (await ask(`${base}...HEAD`)) ?? (await ask(base, 'HEAD'))
  return names === undefined ? undefined : new Set(names.split('\0').filter((name) => name !== ''))
}
