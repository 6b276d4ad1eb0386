import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFile } from '../../core/package-files.ts'
import { OWN_PATH } from './page-headers.ts'

export interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

export interface Assets {
  /** Digest of all files: a path that contains it always has the same bytes. */
  readonly digest: string
  readonly files: ReadonlyMap<string, Asset>
}

const FOLDER = fileURLToPath(codeFile('web/pages/assets'))

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

function loadAssets(folder: string): Assets {
  const digest = createHash('sha256')
  const files = new Map<string, Asset>()
  for (const name of readdirSync(folder).toSorted()) {
    const contentType = CONTENT_TYPES[extname(name)]
    if (contentType === undefined) continue
    const bytes = new Uint8Array(readFileSync(join(folder, name)))
    digest.update(name).update('\0').update(bytes)
    files.set(name, { bytes, contentType })
  }
  return { digest: digest.digest('hex').slice(0, 16), files }
}

/** Reads the files on first use, and caches them. */
export function createAssets(): () => Assets {
  let assets: Assets | undefined
  return () => (assets ??= loadAssets(FOLDER))
}

export function findAsset(assets: Assets, path: string): Asset | undefined {
  const folder = `${OWN_PATH}/${assets.digest}/`
  return path.startsWith(folder) ? assets.files.get(path.slice(folder.length)) : undefined
}
