import { Refusal } from '../operations/refusal.ts'
import { ENCODED_HEADERS, SECURITY_HEADERS } from '../http/security-headers.ts'
import type { Mounting } from '../http/trace-requests.ts'
import { DOCS_PATH, DOCS_POLICY, docsPage } from './docs-page.ts'
import { type Docs, loadDocs } from './load-docs.ts'

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
 * The documentation page and its files, without key. They are read when they are first asked for, and kept.
 *
 * @param folder folder with the files of Swagger UI; by default the one that the build made
 */
export function mountDocs({ app, handle }: Mounting, folder: string | undefined): void {
  let docs: Docs | undefined
  const load = (): Docs => {
    docs ??= loadDocs(folder)
    if (docs === undefined) throw new Refusal(404, 'This server was built without its documentation page')
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
    if (file === undefined) throw new Refusal(404, 'There is no such file of the documentation page')
    const { bytes, contentType } = file
    const own = { 'Content-Type': contentType, 'Content-Length': String(bytes.length) }
    const headers = { ...FILE_HEADERS, ...c.get('trace').headers, ...own }
    return new Response(bytes, { headers })
  })
  app.get(DOCS_PATH, showPage)
  app.get(`${DOCS_PATH}/`, showPage)
  app.get(`${DOCS_PATH}/:digest/:name`, sendFile)
}
