import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { TAXONOMY_FILES } from '../../content/source/find-sources.ts'
import { isInside, isHidden } from '../../content/source/inside.ts'
import { fold, sourceOf, statOf } from './content-path.ts'
import { outside, refused } from './refuse-move.ts'

/** @throws KbError USAGE where what is at `path` is none of the content, or has its fixed place there */
export function assertMovable(path: string, written: string, contentRoot: string): void {
  if (!isInside(contentRoot, path)) throw outside(written, contentRoot)
  const source = sourceOf(path, contentRoot)
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

/** @throws KbError USAGE where nothing may be put at `place` */
export function assertInside(place: string, contentRoot: string, written: string): void {
  const source = sourceOf(place, contentRoot)
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

/** A folder that is a link leads elsewhere, perhaps out of the content folder. */
function assertRealPlace(path: string, written: string, contentRoot: string): void {
  const folder = nearestFolder(dirname(path))
  const wanted = join(realpathSync(contentRoot), relative(contentRoot, folder))
  if (realpathSync(folder).normalize('NFC').toLowerCase() !== wanted.normalize('NFC').toLowerCase()) {
    throw refused(`${written} is behind a symbolic link.`, 'Use the real path.')
  }
}

function nearestFolder(folder: string): string {
  const stats = statOf(folder)
  if (stats === undefined) return nearestFolder(dirname(folder))
  if (stats.isDirectory() || stats.isSymbolicLink()) return folder
  throw refused(`${folder} is a file, not a folder.`, 'Choose another path.')
}

/** @throws KbError USAGE */
export function assertNotInItself(
  from: string,
  to: string,
  written: { readonly from: string; readonly to: string },
): void {
  if (from === to) throw refused(`${written.from} already exists.`, 'Choose another path or name.')
  if (isInside(from, to))
    throw refused(`${written.from} cannot be moved into itself.`, 'Choose a folder outside it.')
}

/**
 * Nothing may be at the new place, nor anything with that name in other case or Unicode form but the file itself.
 *
 * @throws KbError USAGE
 */
export function assertFree(from: string, to: string, contentRoot: string): void {
  const folder = dirname(to)
  const names = statOf(folder)?.isDirectory() === true ? readdirSync(folder) : []
  const twin = names.find((name) => fold(name) === fold(basename(to)) && join(folder, name) !== from)
  if (twin === undefined) return
  const there = sourceOf(join(folder, twin), contentRoot)
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
