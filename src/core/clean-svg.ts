import { type Handler, Parser } from 'htmlparser2'

const NAMESPACES = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** Elements that draw, group, name or animate. All others are removed with their content. */
const ELEMENTS = new Set(
  [
    'a animate animateMotion animateTransform circle clipPath defs desc ellipse filter g image line linearGradient',
    'marker mask metadata mpath path pattern polygon polyline radialGradient rect set stop style svg switch symbol',
    'text textPath title tspan use view feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix',
    'feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR',
    'feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight',
    'feTile feTurbulence',
  ].flatMap((names) => names.split(' ')),
)

const PREFIXED = new Set(['xlink:href', 'xml:lang', 'xml:space'])

/** Embedded pictures that contain no elements themselves. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=\s]*$/

/** Maximum nesting depth; deeper files are rejected. */
const DEEPEST = 500

/** Maximum length of a style, and of the attributes of an element: each is checked in one go, blocking other work. */
const LONGEST = 5_000_000

/**
 * Rewrites an SVG with only the elements and attributes that draw. Removes scripts, event handlers, HTML, animations of
 * links, and references to anything outside the file. Does not resolve entities of a document type.
 */
export function createSvgCleaner() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const writer = new SvgWriter()
  const parser = new Parser(writer, { xmlMode: true, decodeEntities: true })

  function parse(bytes?: Uint8Array): void {
    if (writer.isBroken) return
    try {
      parser.write(bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }))
    } catch (error) {
      // Not UTF-8.
      if (!(error instanceof TypeError)) throw error
      writer.isBroken = true
    }
  }

  return {
    /** Accepts the next chunk of the file and returns the clean text that is final so far. */
    write(bytes: Uint8Array) {
      parse(bytes)
      return writer.take()
    },
    /** Returns the rest of the clean file; undefined if the file is not an SVG, or exceeds a depth or length limit. */
    end() {
      parse()
      parser.end()
      return writer.isBroken || !writer.hasRoot ? undefined : writer.take()
    },
  }
}

/** Writes the clean file from the events of the parser. */
class SvgWriter implements Partial<Handler> {
  isBroken = false
  hasRoot = false
  #written = ''
  /** The text of the open style. */
  #style: string | undefined
  /** Number of open elements. */
  #depth = 0
  /** Depth of the element that is being removed with its content. */
  #droppedAt: number | undefined
  /** Length of the attributes of the element being read. */
  #attributesLength = 0

  onattribute(_name: string, value: string): void {
    this.#attributesLength += value.length
    if (this.#attributesLength > LONGEST) this.isBroken = true
  }

  onopentag(tag: string, attributes: Readonly<Record<string, string>>): void {
    const name = localName(tag)
    const depth = ++this.#depth
    this.#attributesLength = 0
    if (depth > DEEPEST || (depth === 1 && (this.hasRoot || name !== 'svg'))) this.isBroken = true
    if (this.isBroken || this.#droppedAt !== undefined) return
    this.hasRoot = true
    if (!ELEMENTS.has(name) || this.#style !== undefined || animatesLink(attributes)) {
      this.#droppedAt = depth
      return
    }
    this.#written += `<${name}${depth === 1 ? NAMESPACES : ''}${writeAttributes(attributes)}>`
    if (name === 'style') this.#style = ''
  }

  ontext(text: string): void {
    if (this.#depth === 0 || this.isBroken || this.#droppedAt !== undefined) return
    if (this.#style === undefined) this.#written += escapeText(text)
    else {
      this.#style += text
      if (this.#style.length > LONGEST) this.isBroken = true
    }
  }

  onclosetag(tag: string): void {
    if (!this.isBroken && this.#droppedAt === undefined) {
      if (this.#style !== undefined && isOwnStyle(this.#style)) this.#written += escapeText(this.#style)
      this.#style = undefined
      this.#written += `</${localName(tag)}>`
    }
    if (this.#droppedAt === this.#depth) this.#droppedAt = undefined
    this.#depth--
  }

  /** Returns the text written since the last call. */
  take(): Buffer {
    const bytes = Buffer.from(this.#written)
    this.#written = ''
    return bytes
  }
}

/** Some programs write every element as `svg:rect`. */
function localName(tag: string): string {
  return tag.replace(/^svg:/, '')
}

function animatesLink(attributes: Readonly<Record<string, string>>): boolean {
  return /href|^on/i.test(attributes['attributeName'] ?? '')
}

function writeAttributes(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .filter(([name, value]) => isSafe(name, value))
    .map(([name, value]) => ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`)
    .join('')
}

function isSafe(name: string, value: string): boolean {
  if (!/^[a-z][\w:.-]*$/i.test(name) || /^(?:on|xmlns)/i.test(name)) return false
  if (name.includes(':') && !PREFIXED.has(name)) return false
  if (/href$/i.test(name)) return value.startsWith('#') || PICTURE.test(value)
  return !['src', 'base', 'xml:base'].includes(name.toLowerCase()) && isOwnStyle(value)
}

/** Returns true if a style, or an attribute that may contain one, refers to nothing outside the file. */
function isOwnStyle(text: string): boolean {
  // Escapes and comments can hide function names.
  const plain = text.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
  // An image set can name several images, some of them outside url().
  if (/\\|@import|image-set\(|expression\(|javascript:|-moz-binding/i.test(plain)) return false
  return [...plain.matchAll(/(?:url|image|src)\(\s*["']?([^"')]*)/gi)].every(
    ([, target = '']) => target.startsWith('#') || PICTURE.test(target),
  )
}

function escapeText(text: string): string {
  // Characters that XML does not allow.
  const allowed = text.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
  return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
