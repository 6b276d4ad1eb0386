import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { isInside } from '../content/inside.ts'
import { KbError } from '../core/errors/kb-error.ts'

/**
 * Turns paths of the command line (relative to the project folder) into paths under the content root; undefined for all.
 *
 * @throws KbError USAGE for a path that does not exist or lies outside the content folder
 */
export function toSources(paths: readonly string[], cwd: string, contentRoot: string): string[] | undefined {
  return paths.length === 0 ? undefined : paths.map((path) => toSource(path, cwd, contentRoot))
}

function toSource(path: string, cwd: string, contentRoot: string): string {
  if (path.trim() === '')
    throw new KbError('USAGE', 'A path is empty.', { hint: 'Give no path at all to mean all articles.' })
  const file = resolve(cwd, path)
  if (!existsSync(file)) {
    throw new KbError('USAGE', `There is no file or folder ${path}.`, {
      hint: `Paths are relative to ${cwd}.`,
    })
  }
  const source = relative(contentRoot, file).split(sep).join('/')
  if (!isInside(contentRoot, file)) {
    throw new KbError('USAGE', `${path} is not in the content folder.`, {
      hint: `Articles are in ${relative(cwd, contentRoot) || '.'}.`,
    })
  }
  return source
}
