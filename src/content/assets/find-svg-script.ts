// In an `img` element, an SVG runs no scripts. At its own URL, it is a page: opening it runs its scripts with the
// rights of the host that serves it.
import { Parser } from 'htmlparser2'
import { tryTo } from '../../core/try-to.ts'

/** Elements that run code or embed a page. */
const ACTIVE = new Set([
  'script',
  'handler',
  'listener',
  'iframe',
  'frame',
  'object',
  'embed',
  'applet',
  'base',
  'meta',
])

/** Attributes that contain a URL, or that let an animation set one. */
const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'data', 'from', 'to', 'by', 'values'])

/** Briefly describes what could run in an SVG that is opened at its URL; undefined if it is safe. */
export function findSvgScript(bytes: Uint8Array): string | undefined {
  const text = decode(bytes)
  if (text === undefined) return 'text that is not UTF-8'
  let found: string | undefined
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        found ??= activeTag(name) ?? activeAttribute(attributes)
      },
      oncomment(data) {
        found ??= oddComment(data, text.slice(0, parser.endIndex + 1))
      },
      onprocessinginstruction(name, data) {
        found ??= name.startsWith('?') ? activeInstruction(name, data) : activeDeclaration(data)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  return found
}

function decode(bytes: Uint8Array): string | undefined {
  const text = tryTo(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  return text?.includes('\0') === true ? undefined : text
}

function activeTag(tag: string): string | undefined {
  const name = localName(tag)
  return ACTIVE.has(name) ? `a <${name}>` : undefined
}

function activeAttribute(attributes: Readonly<Record<string, string>>): string | undefined {
  for (const [attribute, value] of Object.entries(attributes)) {
    const name = localName(attribute)
    if (name.startsWith('on')) return `the attribute ${name}`
    if (name === 'srcdoc' || (ADDRESSES.has(name) && isActiveAddress(value)))
      return `a script in the attribute ${name}`
  }
  return undefined
}

function isActiveAddress(value: string): boolean {
  // eslint-disable-next-line no-control-regex
  const plain = value.replaceAll(/[\u0000-\u0020]+/g, '').toLowerCase()
  return /(?:^|;)(?:javascript|vbscript):/.test(plain) || /(?:^|;)data:(?!image\/|font\/)/.test(plain)
}

/** A style sheet could create a tag, and another encoding could hide one. */
function activeInstruction(name: string, data: string): string | undefined {
  if (/^\?xml-stylesheet/i.test(name)) return 'an external style sheet'
  if (name.toLowerCase() !== '?xml' || XML_DECLARATION.test(data)) return undefined
  const encoding = /encoding\s*=\s*["']([^"']*)/i.exec(data)?.[1]
  return encoding === undefined ? 'an unusual XML declaration' : `the encoding ${encoding}`
}

const XML_DECLARATION =
  /^\?xml\s+version\s*=\s*(?:"1\.[01]"|'1\.[01]')(?:\s+encoding\s*=\s*(["'])(?:utf-?8|us-ascii)\1)?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*$/i

/** An entity could contain a tag: one declared here, or one that a browser knows from another document type. */
function activeDeclaration(data: string): string | undefined {
  if (SVG_DOCTYPE.test(data)) return undefined
  return /^!doctype[^[]*$/i.test(data) ? 'a document type that may define entities' : 'entity definitions'
}

/** Contains no `>`: this parser ends the declaration at the first one, a browser at the first one outside quotes. */
const SVG_DOCTYPE =
  /^!doctype\s+(?:[\w.-]+:)?svg(?:\s+public\s+(?:"-\/\/W3C\/\/DTD SVG [^"<>[]*"|'-\/\/W3C\/\/DTD SVG [^'<>[]*')(?:\s*(?:"[^"<>[]*"|'[^'<>[]*'))?)?\s*$/i

/** In XML, only `-->` ends a comment, which must not contain `--`. Other parsers could read a tag as text. */
function oddComment(data: string, textUpToEnd: string): string | undefined {
  const isPlain = textUpToEnd.endsWith('-->') && !`${data}-`.includes('--')
  return isPlain ? undefined : 'a comment that is not valid in XML'
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}
