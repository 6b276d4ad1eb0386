import { spawn } from 'node:child_process'
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync, statSync, existsSync } from 'node:fs'
import { join, basename } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { isInside } from '../../core/paths.ts'
import { digest } from '../../core/digest.ts'
import type { Pages } from '../../web/pages/create-pages.ts'
import { isLoopbackHost } from '../../core/loopback.ts'

interface OpenPlaceOptions {
  /** The folders of the project and of the content. Files outside of them are not opened. */
  readonly root: string
  readonly contentRoot: string
  readonly token: string
  readonly show: Pages<PreviewEnv>['show']
}

/** Handles a click on the button for the editor. The result is visible in the editor, so the page stays open. */
export async function openPlace(c: Context<PreviewEnv>, options: OpenPlaceOptions): Promise<Response> {
  const form = await c.req.parseBody()
  const field = (name: string) => (typeof form[name] === 'string' ? form[name] : '')
  const refuse = createRefuse(c, options)
  if (!isLoopbackHost(c.env.incoming.socket.remoteAddress ?? ''))
    return refuse(403, 'kb watch opens an editor only for requests from its own machine.')
  if (!isSame(field('token'), options.token))
    return refuse(403, 'The page is older than the running kb watch. Reload it and try again.')
  const path = resolveProjectFile(options.root, options.contentRoot, field('file'))
  if (path === undefined) return refuse(404, `There is no file ${field('file')} in the project.`)
  const failure = await openEditor({ path, line: numberIn(field('line')), column: numberIn(field('column')) })
  return failure === undefined ? c.body(null, 204) : refuse(503, `${failure} ${ADVICE}`)
}

function createRefuse(c: Context<PreviewEnv>, { show }: OpenPlaceOptions) {
  return (status: 403 | 404 | 503, message: string): Response | Promise<Response> => {
    if (c.req.header('Accept') === 'application/json') return c.json({ message }, status)
    const title = 'The file was not opened'
    const main = html`<h1>${title}</h1>
      <p>${message}</p>`
    return show(c, { title, status, main })
  }
}

/** Compares in constant time, regardless of the first difference. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(token)))
}

function numberIn(text: string): number {
  return /^\d{1,9}$/.test(text) ? Math.max(1, Number(text)) : 1
}

/**
 * Returns the real path of an existing file of the project; undefined for others, including links that lead outside.
 *
 * @param root the project folder, to which `file` is relative
 * @param contentRoot the content folder, which may be elsewhere
 */
function resolveProjectFile(root: string, contentRoot: string, file: string): string | undefined {
  try {
    const path = realpathSync(join(root, file))
    const isOurs = [root, contentRoot].some((folder) => isInside(realpathSync(folder), path))
    return isOurs && statSync(path).isFile() ? path : undefined
  } catch {
    return undefined
  }
}

/** Editors that would share the terminal with the watch. */
const TERMINAL_EDITORS = new Set('vi vim nvim view nano pico micro hx helix kak joe ed ne mcedit'.split(' '))

const ADVICE =
  'Start the editor first, or set LAUNCH_EDITOR to its command before you start kb watch, for example LAUNCH_EDITOR=code.'

/**
 * Opens a file in the editor that is running on this machine, otherwise in that of LAUNCH_EDITOR, VISUAL or EDITOR.
 * Uses no shell. The editor outlives the watch.
 *
 * @returns the reason if it could not be started
 */
async function openEditor(place: { readonly path: string; readonly line: number; readonly column: number }) {
  const [command, ...given] = await findEditor()
  if (command === undefined) return 'No editor was found.'
  if (TERMINAL_EDITORS.has(nameOf(command)))
    return `${nameOf(command)} runs in a terminal and cannot be started from a page.`
  const { default: argumentsFor } = await import('launch-editor/get-args.js')
  const args = argumentsFor(command, place.path, place.line, place.column).map(String)
  return start(command, [...given, ...args])
}

async function findEditor(): Promise<readonly string[]> {
  const { default: guessEditor } = await import('launch-editor/guess.js')
  const named = onlyWords(guessEditor())
  const [command] = named
  // `code --wait` is a command with an argument, unless a file has this name.
  return command !== undefined && command.includes(' ') && !existsSync(command)
    ? onlyWords(guessEditor(command))
    : named
}

/** Rejects shell operators, which have no meaning here. */
function onlyWords(words: readonly unknown[]): readonly string[] {
  return words.every((word) => typeof word === 'string') ? words : []
}

function nameOf(command: string): string {
  return basename(command).replace(/\.(?:exe|cmd|bat)$/i, '')
}

async function start(command: string, args: readonly string[]): Promise<string | undefined> {
  const editor = spawn(command, args, { stdio: 'ignore', detached: true })
  try {
    await once(editor, 'spawn')
  } catch {
    return `${command} could not be started.`
  }
  editor.unref()
  return undefined
}

/** Connection data for a handler. */
export interface PreviewEnv {
  Bindings: HttpBindings
}
