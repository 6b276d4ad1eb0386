import { type GitEnvironment, runGit } from './run-git.ts'

/** How much of the past git knows of a folder; `none`: no git, no repository, or no commit yet. */
export type HistoryDepth = 'whole' | 'shallow' | 'none'

export async function historyDepth(
  folder: string,
  env: GitEnvironment,
  signal?: AbortSignal,
): Promise<HistoryDepth> {
  const answer = await runGit(folder, ['rev-parse', '--is-shallow-repository', 'HEAD'], signal, { env })
  if (answer === undefined) return 'none'
  // A git that does not know the question repeats it.
  return answer.startsWith('false') ? 'whole' : 'shallow'
}
