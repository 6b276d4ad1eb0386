import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { API_PREFIX } from '../../api/contract/routes.ts'
import { codeFile } from '../../core/package-files.ts'
import { HttpError } from '../operations/responses.ts'
import { ENCODED_HEADERS, SECURITY_HEADERS, type MountContext } from '../http/handle-request.ts'

// The page that shows the OpenAPI document. Its scripts are files, so that the content security policy can forbid all
// others. Swagger UI needs inline styles and images in data: URLs.
const DOCS_PATH = `${API_PREFIX}/docs`

const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Name of the script that starts Swagger UI. */
const INITIALISER = 'initialise.js'

/** Prevents requests to other hosts: the validator of Swagger UI would send the document's URL to one. */
const INITIALISER_SCRIPT = `window.addEventListener('load', () => {
  SwaggerUIBundle({
    url: '${API_PREFIX}/openapi.json',
    domNode: document.getElementById('docs'),
    validatorUrl: null,
    deepLinking: true,
  })
})
`

/** @param assets base path of the files, without a trailing slash */
function docsPage(assets: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Knowledge Base Content Service</title>
<link rel="icon" type="image/png" href="${assets}/favicon-32x32.png">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
<script src="${assets}/swagger-ui-bundle.js" defer></script>
<script src="${assets}/${INITIALISER}" defer></script>
</head>
<body><div id="docs"></div></body>
</html>
`
}

const PAGE_HEADERS = {
  ...SECURITY_HEADERS,
  ...ENCODED_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': DOCS_POLICY,
  'Cache-Control': 'no-cache',
}

const FILE_HEADERS = {
  ...SECURITY_HEADERS,
  ...ENCODED_HEADERS,
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/**
 * Serves the documentation page and its files without a key. They are read at their first request, and cached.
 *
 * @param folder folder with the files of Swagger UI; default: the one from the build
 */
export function mountDocs({ app, handle }: MountContext, folder: string | undefined): void {
  let docs: Docs | undefined
  const load = (): Docs => {
    docs ??= loadDocs(folder)
    if (docs === undefined) throw new HttpError(404, 'This server was built without its documentation page')
    return docs
  }

  const showPage = handle(DOCS_PATH, (c) => {
    const page = docsPage(`${DOCS_PATH}/${load().digest}`)
    const length = { 'Content-Length': String(Buffer.byteLength(page)) }
    return new Response(page, { headers: { ...PAGE_HEADERS, ...c.get('trace').headers, ...length } })
  })
  const sendFile = handle(`${DOCS_PATH}/{digest}/{name}`, (c) => {
    const { digest, files } = load()
    const file = c.req.param('digest') === digest ? files.get(c.req.param('name') ?? '') : undefined
    if (file === undefined) throw new HttpError(404, 'There is no such file of the documentation page')
    const { bytes, contentType } = file
    const own = { 'Content-Type': contentType, 'Content-Length': String(bytes.length) }
    const headers = { ...FILE_HEADERS, ...c.get('trace').headers, ...own }
    return new Response(bytes, { headers })
  })
  app.get(DOCS_PATH, showPage)
  app.get(`${DOCS_PATH}/`, showPage)
  app.get(`${DOCS_PATH}/:digest/:name`, sendFile)
}

interface DocsFile {
  readonly bytes: Uint8Array
  readonly contentType: string
}

interface Docs {
  /** Digest of all files: a path that contains it always has the same bytes. */
  readonly digest: string
  readonly files: ReadonlyMap<string, DocsFile>
}

/** Swagger UI in the built program. */
const BUILT_FOLDER = fileURLToPath(codeFile('server/docs/swagger-ui'))

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

/** Reads the files of the documentation page; undefined if the program was built without them. */
function loadDocs(folder: string = BUILT_FOLDER): Docs | undefined {
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
