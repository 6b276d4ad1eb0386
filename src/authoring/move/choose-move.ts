import { readdirSync, realpathSync } from 'node:fs'
import { basename, extname, join, resolve, dirname, relative } from 'node:path'
import { isHidden } from '../../core/dialects/site-folders.ts'
import {
  entryIfThere,
  foldName,
  isDotted,
  isInside,
  nearestExisting,
  relativePath,
} from '../../core/paths.ts'
import type { PathMove } from './path-move.ts'
import { TAXONOMY_FILES } from '../../content/source/find-sources.ts'
import { nearestEntry } from '../../content/includes/include-problems.ts'
import { KbError } from '../../core/errors/kb-error.ts'

/** A valid move, which may already have been made. */
export interface ChosenMove extends PathMove {
  /** True if the file or folder is already at its new path, so that only links must be updated. */
  readonly isMoved: boolean
}

interface MovePlaces {
  readonly contentRoot: string
  readonly cwd: string
  readonly from: string
  readonly to: string
}

/**
 * Interprets two paths of the command line, which are relative to `cwd` or to the content folder.
 *
 * @throws KbError USAGE if the move is not possible
 */
export function chooseMove({ contentRoot, cwd, from, to }: MovePlaces): ChosenMove {
  const old = findOld(from, cwd, contentRoot)
  const written = { from, to }
  const target = resolve(old.base, to)
  assertMovable(old.path, from, contentRoot)
  if (old.stats === undefined)
    return movedByHand({ from: old.path, to: target, written, isInto: endsAsFolder(to) }, contentRoot)
  if (old.stats.isSymbolicLink()) {
    throw refused(
      `${from} is a symbolic link.`,
      'Move the file that it points to, or move the link itself with mv.',
    )
  }
  const place = newPlace(old.path, target, to)
  assertInside(place, contentRoot, to)
  assertNotInItself(old.path, place, written)
  assertFree(old.path, place, contentRoot)
  const isFolder = old.stats.isDirectory()
  return {
    from: relativePath(contentRoot, old.path),
    to: relativePath(contentRoot, place),
    isFolder,
    isMoved: false,
  }
}

/** Moves into an existing folder, unless that is the moved folder in another case. */
function newPlace(old: string, target: string, written: string): string {
  const isThere = entryIfThere(target)?.isDirectory() === true && !isSamePlace(old, target)
  return endsAsFolder(written) || isThere ? join(target, basename(old)) : target
}

function endsAsFolder(path: string): boolean {
  return /[\\/]$/.test(path)
}

/** @returns `base`: the folder to which both paths are relative */
function findOld(from: string, cwd: string, contentRoot: string) {
  const bases = isDotted(from) ? [cwd] : [cwd, contentRoot]
  for (const base of bases) {
    const path = asOnDisk(resolve(base, from), contentRoot)
    const stats = entryIfThere(path)
    if (stats !== undefined) return { path, base, stats }
  }
  const base = isDotted(from) || isInside(contentRoot, resolve(cwd, from)) ? cwd : contentRoot
  return { path: asOnDisk(resolve(base, from), contentRoot), base, stats: undefined }
}

interface HandMove {
  readonly from: string
  readonly to: string
  readonly written: { readonly from: string; readonly to: string }
  readonly isInto: boolean
}

/** Handles a move by the user or an interrupted run: the file at the new path tells what was moved. */
function movedByHand({ from, to, written, isInto }: HandMove, contentRoot: string): ChosenMove {
  const inside = join(to, basename(from))
  const isBelow =
    entryIfThere(to)?.isDirectory() === true && (isInto || entryIfThere(inside)?.isFile() === true)
  const place = asOnDisk(isBelow ? inside : to, contentRoot)
  const stats = entryIfThere(place)
  if (stats === undefined || (stats.isDirectory() && extname(from) === '.md')) {
    const meant = nearestEntry(contentRoot, contentRoot, [relativePath(contentRoot, from)])
    throw refused(
      `There is no file or folder ${written.from}, and none at ${written.to} either.`,
      meant === undefined
        ? 'Paths are relative to the project or to the content folder.'
        : `Did you mean ${meant}?`,
    )
  }
  assertInside(place, contentRoot, written.to)
  if (stats.isSymbolicLink())
    throw refused(`${written.to} is a symbolic link.`, 'Move the file that it points to.')
  return {
    from: relativePath(contentRoot, from),
    to: relativePath(contentRoot, place),
    isFolder: stats.isDirectory(),
    isMoved: true,
  }
}

/** On a file system that ignores case, the old and the new path may be the same. */
function isSamePlace(a: string, b: string): boolean {
  return foldName(a) === foldName(b)
}

/** @throws KbError USAGE if `path` is not content or must stay where it is */
function assertMovable(path: string, written: string, contentRoot: string): void {
  if (!isInside(contentRoot, path)) throw outside(written, contentRoot)
  const source = relativePath(contentRoot, path)
  if (source === '')
    throw refused('The content folder itself cannot be moved.', 'Rename it, and set content in kb.config.ts.')
  if (TAXONOMY_FILES.includes(source))
    throw refused(
      `${source} must keep its location and its name.`,
      'You can move articles, images and folders.',
    )
  if (isHidden(source))
    throw refused(`${written} is hidden, so it is not part of the content.`, 'Move it with mv.')
  assertRealPlace(path, written, contentRoot)
}

/** @throws KbError USAGE if `place` is not allowed */
function assertInside(place: string, contentRoot: string, written: string): void {
  const source = relativePath(contentRoot, place)
  if (!isInside(contentRoot, place) || source === '') throw outside(written, contentRoot)
  if (isHidden(source)) {
    throw refused(
      `${written} has a name that starts with a dot, so it would not be part of the content.`,
      'Choose another name.',
    )
  }
  if (TAXONOMY_FILES.includes(source))
    throw refused(`${source} is reserved for the taxonomy.`, 'Choose another name.')
  assertRealPlace(place, written, contentRoot)
}

/** Throws for a folder that is a link, which may lead out of the content folder. */
function assertRealPlace(path: string, written: string, contentRoot: string): void {
  const folder = nearestExisting(dirname(path))
  const entry = entryIfThere(folder)
  if (entry?.isDirectory() !== true && entry?.isSymbolicLink() !== true)
    throw refused(`${folder} is a file, not a folder.`, 'Choose another path.')
  const expected = join(realpathSync(contentRoot), relative(contentRoot, folder))
  if (foldName(realpathSync(folder)) !== foldName(expected))
    throw refused(`${written} is behind a symbolic link.`, 'Use the real path.')
}

/** @throws KbError USAGE */
function assertNotInItself(
  from: string,
  to: string,
  written: { readonly from: string; readonly to: string },
): void {
  if (from === to) throw refused(`${written.from} already exists.`, 'Choose another path or name.')
  if (isInside(from, to))
    throw refused(`${written.from} cannot be moved into itself.`, 'Choose a folder outside it.')
}

/** The new path must be free, in any case or Unicode form, except for the file itself. @throws KbError USAGE */
function assertFree(from: string, to: string, contentRoot: string): void {
  const folder = dirname(to)
  const names = entryIfThere(folder)?.isDirectory() === true ? readdirSync(folder) : []
  const twin = names.find((name) => foldName(name) === foldName(basename(to)) && join(folder, name) !== from)
  if (twin === undefined) return
  const there = relativePath(contentRoot, join(folder, twin))
  throw twin === basename(to)
    ? refused(
        `There is already a file or folder ${there}. Nothing was moved.`,
        'Choose another name, or move that one first.',
      )
    : refused(
        `${there} differs from ${basename(to)} only in case or accents. Nothing was moved.`,
        'Choose another name: some file systems cannot store both.',
      )
}

/** Returns a path in `root` with the case and Unicode form on disk, as far as it exists. */
function asOnDisk(path: string, root: string): string {
  if (path === root || !isInside(root, path)) return path
  const folder = asOnDisk(dirname(path), root)
  const name = basename(path)
  const names = entryIfThere(folder)?.isDirectory() === true ? readdirSync(folder) : []
  if (names.includes(name)) return join(folder, name)
  const form = names.find((each) => each.normalize('NFC') === name.normalize('NFC'))
  // If the file system ignores case, the typed path also exists.
  const twin =
    form ??
    (entryIfThere(path) === undefined ? undefined : names.find((each) => foldName(each) === foldName(name)))
  return join(folder, twin ?? name)
}

/** Creates the error for a move that is not possible, with an alternative. */
function refused(message: string, hint: string): KbError {
  return new KbError('USAGE', message, { hint })
}

function outside(written: string, contentRoot: string): KbError {
  return refused(`${written} is not in the content folder.`, `Articles are in ${contentRoot}.`)
}
