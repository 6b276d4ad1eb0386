import { readdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { isInside } from '../../content/inside.ts'
import { createFileNamer } from '../../content/write-back/file/create-file-namer.ts'
import { KbError } from '../../core/errors/kb-error.ts'

interface Place {
  readonly cwd: string
  readonly contentRoot: string
}

/**
 * The folder that the command line names, under the content root, with `/`. It need not exist.
 *
 * @throws KbError USAGE
 */
export function namedFolder(folder: string, { cwd, contentRoot }: Place): string {
  const inProject = resolve(cwd, folder)
  const path = isInside(contentRoot, inProject) ? inProject : resolve(contentRoot, folder)
  if (!isInside(contentRoot, path)) {
    throw new KbError('USAGE', `${folder} is not in the content folder. Nothing was written.`, {
      hint: `Articles are in ${relative(cwd, contentRoot) || '.'}.`,
    })
  }
  const source = relative(contentRoot, path).split(sep).join('/')
  const hidden = source.split('/').find((name) => /^[_.]/.test(name))
  if (hidden !== undefined) {
    throw new KbError('USAGE', `In a folder named ${hidden}, nothing is an article. Nothing was written.`, {
      hint: 'Names that begin with _ or . are left out; choose another folder.',
    })
  }
  return source
}

/** Folders with these names, below each other; one that is there in other letter case is meant. */
export function folderOfNames(names: readonly string[], contentRoot: string): string {
  let folder = ''
  for (const name of names) {
    const usable = createFileNamer([])(name)
    const there = namesIn(contentRoot, folder).find((each) => fold(each) === fold(usable)) ?? usable
    folder = folder === '' ? there : `${folder}/${there}`
  }
  return folder
}

/** Names of what is in a folder; none where there is no such folder. */
export function namesIn(contentRoot: string, folder: string): string[] {
  try {
    return readdirSync(join(contentRoot, folder))
  } catch {
    return []
  }
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
