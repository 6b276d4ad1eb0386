import { type GitEnvironment, runGit } from './run-git.ts'

/**
 * The commit that a change is measured against: in a pull or merge request where it left the target branch, else HEAD.
 * Undefined where git does not know it: no repository, no commit yet, or a clone without that much history.
 */
export async function baseOf(
  folder: string,
  env: GitEnvironment,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const ask = async (...args: readonly string[]) =>
    (await runGit(folder, args, signal, { env }))?.split('\n')[0]
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
