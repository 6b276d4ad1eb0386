import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Pages } from '../../web/pages/create-pages.ts'
import { digest } from '../../core/digest.ts'
import { openEditor } from './open-editor.ts'
import type { PreviewEnv } from './preview-env.ts'
import { resolveProjectFile } from './resolve-project-file.ts'

export interface OpenPlaceOptions {
  /** The project's folder, and the content's; no file outside of them is opened. */
  readonly root: string
  readonly contentRoot: string
  readonly token: string
  readonly show: Pages<PreviewEnv>['show']
}

/** A button for the editor was pressed: nothing is to be seen where it opens, so the page stays where it is. */
export async function openPlace(c: Context<PreviewEnv>, options: OpenPlaceOptions): Promise<Response> {
  const form = await c.req.parseBody()
  const field = (name: string) => (typeof form[name] === 'string' ? form[name] : '')
  if (!isLoopback(c.env.incoming.socket.remoteAddress)) {
    return refuse(
      c,
      options,
      403,
      'An editor is opened on the machine on which kb watch runs, and from there only.',
    )
  }
  if (!isSame(field('token'), options.token)) {
    return refuse(c, options, 403, 'The page is older than the running kb watch. Reload it and try again.')
  }
  const path = resolveProjectFile(options.root, options.contentRoot, field('file'))
  if (path === undefined) return refuse(c, options, 404, `There is no file ${field('file')} in the project.`)
  const opened = await openEditor({ path, line: numberIn(field('line')), column: numberIn(field('column')) })
  return opened.kind === 'opened' ? c.body(null, 204) : refuse(c, options, 503, opened.reason)
}

async function refuse(
  c: Context<PreviewEnv>,
  { show }: OpenPlaceOptions,
  status: 403 | 404 | 503,
  message: string,
): Promise<Response> {
  if (c.req.header('Accept') === 'application/json') return c.json({ message }, status)
  const title = 'The file was not opened'
  return show(c, {
    title,
    status,
    main: html`<h1>${title}</h1>
      <p>${message}</p>`,
  })
}

/** Takes the same time wherever they differ. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(token)))
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address)
}

function numberIn(text: string): number {
  return /^\d{1,9}$/.test(text) ? Math.max(1, Number(text)) : 1
}
