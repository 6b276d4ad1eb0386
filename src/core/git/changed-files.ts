import { runGit } from './run-git.ts'

/**
 * The files that differ from `base`, the commit a change is measured against, relative to the repository. Undefined
 * where git does not know: a shallow clone may lack the commits between.
 */
export async function changedFiles(
  folder: string,
  base: string,
  signal?: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const ask = (...range: readonly string[]) =>
    runGit(folder, ['diff', '--name-only', '-z', '--no-renames', ...range, '--'], signal)
  // Without a common commit in a shallow clone, the two states themselves are compared.
  const names = (await ask(`${base}...HEAD`)) ?? (await ask(base, 'HEAD'))
  return names === undefined ? undefined : new Set(names.split('\0').filter((name) => name !== ''))
}
