import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeFile } from '../../core/package-files.ts'
import { INITIALISER, INITIALISER_SCRIPT } from './docs-page.ts'

export interface DocsFile {
  readonly bytes: Uint8Array
  readonly contentType: string
}

export interface Docs {
  /** Digest of all files: a path that holds it names the same bytes for ever. */
  readonly digest: string
  readonly files: ReadonlyMap<string, DocsFile>
}

/** Swagger UI, as the build puts it beside the program. */
const BUILT_FOLDER = fileURLToPath(codeFile('server/docs/swagger-ui'))

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

/** Reads the files of the documentation page; undefined where the program was not built with them. */
export function loadDocs(folder: string = BUILT_FOLDER): Docs | undefined {
  if (!existsSync(folder)) return undefined
  const files = new Map<string, DocsFile>([
    [INITIALISER, { bytes: Buffer.from(INITIALISER_SCRIPT), contentType: 'text/javascript; charset=utf-8' }],
    ...Object.entries(CONTENT_TYPES).map(
      ([name, contentType]) => [name, { bytes: readFileSync(join(folder, name)), contentType }] as const,
    ),
  ])
  const digest = createHash('sha256')
  for (const { bytes } of files.values()) digest.update(bytes)
  return { digest: digest.digest('hex').slice(0, 16), files }
}
