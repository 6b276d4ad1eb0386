import { entriesOf } from '../../core/paths.ts'
import { join } from 'node:path'
import { fitsUse } from './asset-types.ts'
import { createIsExcluded } from '../source/find-sources.ts'

interface AssetSearch {
  readonly contentRoot: string
  /** Patterns of the configuration, see `createSourceFilter`. */
  readonly exclude: readonly string[]
  /** True if files other than images can be used. */
  readonly publishesFiles: boolean
}

/** Sources of all files that articles could use. As for articles, names that begin with `_` or `.` are excluded. */
export async function findAssets({ contentRoot, exclude, publishesFiles }: AssetSearch): Promise<string[]> {
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
