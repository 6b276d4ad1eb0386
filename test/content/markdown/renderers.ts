import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RenderMarkdown } from '../../../src/content/markdown/create-renderer.ts'
import { loadRenderer } from '../../../src/content/pipeline/create-compiler.ts'
import type { MarkdownOptions, RenderedBody } from '../../../src/content/markdown/rendered-body.ts'
import { resolveParser } from '../../../src/content/parser/resolve-parser.ts'
import { joinTemplate } from '../../../src/content/markdown/slot-template.ts'
import { drawSample } from '../../support/draw-lots.ts'
import { readRuns } from '../../support/runs.ts'

export const NONCE = '0123456789abcdef0123456789abcdef'

export async function rendererOf(options: Partial<MarkdownOptions> = {}): Promise<RenderMarkdown> {
  const full: MarkdownOptions = { parser: 'native', remarkPlugins: [], allow: {}, ...options }
  return loadRenderer(full, await resolveParser(full))
}

export function inputOf(body: string, title = 'No such heading') {
  return { body, title, lineOffset: 0, nonce: NONCE }
}

/** Returns the HTML with every slot filled with the URL as written. */
export function htmlOf(rendered: RenderedBody): string {
  return joinTemplate(
    rendered.html,
    rendered.slots.map((slot) => slot.url),
  )
}

const NODE_MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const LIMIT_BYTES = 200_000

let installed: ReadonlyMap<string, string> | undefined

/** Returns the Markdown files of all installed packages, by path relative to node_modules: text by other authors. */
export function realMarkdown(): ReadonlyMap<string, string> {
  installed ??= readInstalled()
  return installed
}

function readInstalled(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const path of readdirSync(NODE_MODULES, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = NODE_MODULES + path
    if (!/\.(md|markdown)$/i.test(path) || !statSync(file).isFile() || statSync(file).size > LIMIT_BYTES)
      continue
    found.set(path, readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  }
  return found
}

/** Constructs in the Markdown of real projects, each with the documents that contain it. */
const KINDS: Readonly<Record<string, RegExp>> = {
  'a list': /^[ \t]*[-*+] /m,
  'a numbered list': /^[ \t]*\d+[.)] /m,
  'a nested list': /^(?: {2,}|\t+)[-*+] /m,
  'a task list': /^[ \t]*[-*+] \[[ x]\]/im,
  'a table': /^[ \t]*\|?[ :]*-+[ :]*\|/m,
  'a quote': /^>/m,
  'an alert': /^> ?\[!\w+\]/m,
  'fenced code': /^[ \t]*(?:```|~~~)/m,
  'indented code': /\n\n {4}\S/,
  'an underlined heading': /^[^\n]+\n(?:=+|-+)\s*$/m,
  'a reference': /^\[[^\]^]+\]:/m,
  'a footnote': /\[\^[^\]]+\]/,
  'an image': /!\[/,
  'a link around an image': /\[!\[/,
  'a block of HTML': /^<[a-z]/im,
  'HTML in a line': /\S.*<[a-z]+[ >]/i,
  details: /<details/i,
  'a comment': /<!--/,
  'an entity': /&#?\w+;/,
  'a bare address': /(?:^|\s)https?:/m,
  'a mail address': /\w@\w+\.\w/,
  'deleted text': /~~/,
  'a hard break': / {2}\n|\\\n/,
  'other scripts': /[\u0370-\uFFFF]/,
  CRLF: /\r\n/,
}

/** Returns a sample of `realMarkdown`: `DOCUMENTS` files, at least one of every kind, and `always`. */
export function someMarkdown(always: readonly string[] = []): ReadonlyMap<string, string> {
  const all = [...realMarkdown()]
  const kindsOf = ([path, body]: readonly [string, string]) => [
    ...(always.includes(path) ? [path] : []),
    ...Object.keys(KINDS).filter((kind) => KINDS[kind]?.test(body)),
  ]
  const some = drawSample(all, readRuns('DOCUMENTS', Math.ceil(all.length / 16)), kindsOf)
  const met = new Set(some.flatMap(kindsOf))
  const missing = [...always, ...Object.keys(KINDS)].filter((kind) => !met.has(kind))
  if (missing.length > 0) throw new Error(`No package that is installed has ${missing.join(', ')}.`)
  return new Map(some)
}

/** Lets the event loop turn, so that the native parser frees its memory. */
export async function turn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}
