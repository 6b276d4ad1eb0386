import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isInside } from '../../content/source/inside.ts'

/** A path below `root` in the letters and the Unicode form that the file system has for it, as far as it is there. */
export function asOnDisk(path: string, root: string): string {
  if (path === root || !isInside(root, path)) return path
  const folder = asOnDisk(dirname(path), root)
  const name = basename(path)
  const names = statOf(folder)?.isDirectory() === true ? readdirSync(folder) : []
  if (names.includes(name)) return join(folder, name)
  const form = names.find((each) => each.normalize('NFC') === name.normalize('NFC'))
  // Where case is ignored, what was typed is there all the same.
  const twin =
    form ?? (statOf(path) === undefined ? undefined : names.find((each) => fold(each) === fold(name)))
  return join(folder, twin ?? name)
}

/** What is at a path, links not followed; undefined where there is nothing. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // A file in the place of a folder, a name too long.
    return undefined
  }
}

/** An absolute path as one under the content root, with `/`. */
export function sourceOf(path: string, contentRoot: string): string {
  return relative(contentRoot, path).split(sep).join('/')
}

/** A name as it is on a file system that ignores case and Unicode form. */
export function fold(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
