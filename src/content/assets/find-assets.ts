import { entriesOf, foldName } from '../../core/paths.ts'
import { join } from 'node:path'
import { fitsUse } from './asset-types.ts'
import { createIsExcluded } from '../source/find-sources.ts'
import { readdirSync } from 'node:fs'
import { memoize } from '../../core/memoize.ts'

/**
 * Finds all files that articles could use. As for articles, names that start with `_` or `.` are excluded.
 *
 * @param exclude patterns from the configuration, see `createSourceFilter`
 * @param publishesFiles true if files other than images can be used
 */
export async function findAssets(contentRoot: string, exclude: readonly string[], publishesFiles: boolean) {
  const isExcluded = await createIsExcluded(exclude)
  const use = publishesFiles ? 'link' : 'image'
  const found: string[] = []
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of entriesOf(join(contentRoot, folder))) {
      if (/^[_.]/.test(entry.name)) continue
      const source = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) pending.push(source)
      else if (fitsUse(source, use) && !isExcluded(source)) found.push(source)
    }
  }
  return found
}

type ExactFind =
  /** `source` as spelled on disk. */
  | { readonly kind: 'found'; readonly source: string }
  /** Differs in case, so it does not work on every machine. */
  | { readonly kind: 'other-case'; readonly source: string }
  | { readonly kind: 'missing' }

/** Finds a file or folder at a source. */
export type FindExactly = (source: string) => ExactFind

interface Names {
  readonly exact: ReadonlyMap<string, string>
  readonly anyCase: ReadonlyMap<string, string>
}

const NOTHING: Names = { exact: new Map(), anyCase: new Map() }

/**
 * Finds files by their names in folder listings, so the result does not depend on a file system that ignores case or on
 * its Unicode form. Reads each folder once.
 */
export function createFindExactly(contentRoot: string): FindExactly {
  const namesIn = memoize((folder: string) => readNames(join(contentRoot, folder)))
  return (source) => {
    let path = ''
    let isExact = true
    for (const part of source.split('/').filter((each) => each !== '' && each !== '.')) {
      // The path leads to a folder of the site outside the content folder.
      if (part === '..') {
        path = path === '' ? part : `${path}/${part}`
        continue
      }
      const { exact, anyCase } = namesIn(path)
      const name = part.normalize('NFC')
      const found = exact.get(name) ?? anyCase.get(name.toLowerCase())
      if (found === undefined) return { kind: 'missing' }
      isExact &&= exact.has(name)
      path = path === '' ? found : `${path}/${found}`
    }
    return { kind: isExact ? 'found' : 'other-case', source: path }
  }
}

function readNames(folder: string): Names {
  try {
    const names = readdirSync(folder).toSorted()
    return {
      exact: new Map(names.map((name) => [name.normalize('NFC'), name])),
      anyCase: new Map(names.map((name) => [foldName(name), name])),
    }
  } catch {
    // Not a readable folder.
    return NOTHING
  }
}
