import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonWithoutPath } from '../../core/errors/kb-error.ts'
import { leadsInside, statIfThere } from './inside.ts'
import type { SourceProblem } from './source-problem.ts'

type IsIncluded = (source: string) => boolean

/** Behind a link to a folder, so many folders are searched for articles. */
const MOST_FOLDERS = 1000

/** Why what is listed at `source` cannot be read as a file of the content; nothing where it is gone by now. */
export function explainUnread(
  contentRoot: string,
  source: string,
  isIncluded: IsIncluded = () => false,
): SourceProblem[] {
  const file = join(contentRoot, source)
  if (!isListed(file)) return source.includes('\ufffd') ? [unread(source, NAME_NOT_UTF8)] : []
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) return explainLinkedFolder(contentRoot, source, isIncluded)
    if (!leadsInside(contentRoot, source)) return [unread(source, leadsOutside(source))]
    return stats.isFile() ? [] : [unread(source, NO_FILE)]
  } catch (error) {
    return [unread(source, isLink(file) ? leadsNowhere(source, error) : { message: unreadable(error) })]
  }
}

/** Folders behind symbolic links are not walked; where there are articles in one, they would be missed. */
export function explainLinkedFolder(
  contentRoot: string,
  source: string,
  isIncluded: IsIncluded,
): SourceProblem[] {
  if (statIfThere(join(contentRoot, source))?.isDirectory() !== true) return []
  return holdsArticles(contentRoot, source, isIncluded) ? [unread(source, linkedFolder(source))] : []
}

function holdsArticles(contentRoot: string, top: string, isIncluded: IsIncluded): boolean {
  const seen = new Set<string>()
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const place = realPathOf(join(contentRoot, folder))
    if (place === undefined || seen.has(place)) continue
    seen.add(place)
    if (seen.size > MOST_FOLDERS) return true
    for (const entry of entriesOf(place)) {
      if (/^[_.]/.test(entry.name)) continue
      const source = `${folder}/${entry.name}`
      if (entry.isDirectory()) pending.push(source)
      else if (isIncluded(source)) return true
    }
  }
  return false
}

interface Words {
  readonly message: string
  readonly hint?: string
}

const NAME_NOT_UTF8: Words = {
  message: 'The name of the file is not UTF-8 text, so that the file cannot be read.',
  hint: 'Rename the file.',
}

const NO_FILE: Words = {
  message: 'This is no regular file, but a pipe, a socket or a device.',
  hint: 'Delete it, or name it in exclude of the configuration.',
}

function leadsOutside(source: string): Words {
  return {
    message: `"${source}" leads to a file outside the content folder.`,
    hint: 'Copy the file into the content folder.',
  }
}

function leadsNowhere(source: string, error: unknown): Words {
  const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  const reason = isGone ? 'a file that does not exist' : 'nothing that can be read'
  return { message: `"${source}" is a symbolic link to ${reason}.`, hint: 'Correct the link, or delete it.' }
}

function linkedFolder(source: string): Words {
  return {
    message: `"${source}" is a symbolic link to a folder with articles, and those are not read.`,
    hint: 'Move the folder into the content folder, or name it in exclude of the configuration.',
  }
}

function unreadable(error: unknown): string {
  return `The file could not be read: ${reasonWithoutPath(error)}.`
}

function unread(source: string, words: Words): SourceProblem {
  return { source, problem: { code: 'file-unreadable', ...words, line: 1, column: 1 } }
}

function isListed(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    // Somebody may list the folder, but not look at what is in it.
    return true
  }
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink()
  } catch {
    return false
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
