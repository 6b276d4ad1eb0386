import type { Stats } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { isInside } from '../../content/source/inside.ts'
import { assertFree, assertInside, assertMovable, assertNotInItself } from './assert-movable.ts'
import { asOnDisk, fold, sourceOf, statOf } from './content-path.ts'
import type { PathMove } from './path-move.ts'
import { outside, refused } from './refuse-move.ts'

/** A move that may be made, or was made already by someone else. */
export interface ChosenMove extends PathMove {
  /** Whether the file or folder is at its new place: only links are left to do. */
  readonly isMoved: boolean
}

interface MovePlaces {
  readonly contentRoot: string
  readonly cwd: string
  readonly from: string
  readonly to: string
}

/**
 * Makes out what two paths of the command line mean. They are relative to `cwd`, or to the content folder.
 *
 * @throws KbError USAGE where nothing can be moved so
 */
export function chooseMove({ contentRoot, cwd, from, to }: MovePlaces): ChosenMove {
  const old = findOld(from, cwd, contentRoot)
  const written = { from, to }
  const target = resolve(old.base, to)
  assertMovable(old.path, from, contentRoot)
  if (old.stats === undefined) {
    return movedByHand({ from: old.path, to: target, written, isInto: endsAsFolder(to) }, contentRoot)
  }
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
  return { from: sourceOf(old.path, contentRoot), to: sourceOf(place, contentRoot), isFolder, isMoved: false }
}

/** A folder that is there takes in what is moved, unless it is what is moved, in other letters. */
function newPlace(old: string, target: string, written: string): string {
  const isThere = statOf(target)?.isDirectory() === true && !isSamePlace(old, target)
  return endsAsFolder(written) || isThere ? join(target, basename(old)) : target
}

function endsAsFolder(path: string): boolean {
  return /[\\/]$/.test(path)
}

interface OldPlace {
  readonly path: string
  /** Folder that both paths are relative to. */
  readonly base: string
  readonly stats: Stats | undefined
}

function findOld(from: string, cwd: string, contentRoot: string): OldPlace {
  const bases = [cwd, contentRoot]
  for (const base of bases) {
    const path = asOnDisk(resolve(base, from), contentRoot)
    const stats = statOf(path)
    if (stats !== undefined && (isInside(contentRoot, path) || base === contentRoot))
      return { path, base, stats }
  }
  const inProject = resolve(cwd, from)
  if (statOf(inProject) !== undefined) throw outside(from, contentRoot)
  const base = isInside(contentRoot, inProject) ? cwd : contentRoot
  return { path: asOnDisk(resolve(base, from), contentRoot), base, stats: undefined }
}

interface HandMove {
  readonly from: string
  readonly to: string
  readonly written: { readonly from: string; readonly to: string }
  readonly isInto: boolean
}

/** Someone moved it with other means, or a run was cut off: what is at the new place tells what it was. */
function movedByHand({ from, to, written, isInto }: HandMove, contentRoot: string): ChosenMove {
  const inside = join(to, basename(from))
  const isBelow = statOf(to)?.isDirectory() === true && (isInto || statOf(inside)?.isFile() === true)
  const place = asOnDisk(isBelow ? inside : to, contentRoot)
  const stats = statOf(place)
  if (stats === undefined || (stats.isDirectory() && extname(from) === '.md')) {
    throw refused(
      `There is no file or folder ${written.from}, and none at ${written.to} either.`,
      'Paths are relative to the project or to the content folder.',
    )
  }
  assertInside(place, contentRoot, written.to)
  if (stats.isSymbolicLink())
    throw refused(`${written.to} is a symbolic link.`, 'Move the file that it points to.')
  return {
    from: sourceOf(from, contentRoot),
    to: sourceOf(place, contentRoot),
    isFolder: stats.isDirectory(),
    isMoved: true,
  }
}

/** On a file system that ignores case, the old path and the new may be one. */
function isSamePlace(a: string, b: string): boolean {
  return fold(a) === fold(b)
}
