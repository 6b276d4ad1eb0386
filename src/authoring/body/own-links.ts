import { dialectOf, kindIn, type PresetName } from '../../core/dialects/dialects.ts'
import { readShortcodes } from '../../content/dialect/shortcodes/read-shortcodes.ts'
import { linkOf as addressOf } from '../../content/dialect/shortcodes/shown-shortcodes.ts'
import { readableUrl } from '../../core/readable-url.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'

/** Writes links in the author's own syntax, for which no Markdown address exists. */
export interface OwnLinks {
  /** Replaces each address that has such a syntax with a placeholder word. */
  readonly mark: (linkOf: LinkOf) => LinkOf
  /** Replaces the placeholders with the author's syntax. */
  readonly write: (markdown: string) => string
}

/** Finds addresses in `body` that are written in the syntax of `dialect`. @param word does not occur in the body */
export function createOwnLinks(body: string, dialect: PresetName | undefined, word: string): OwnLinks {
  const written = dialect === undefined ? new Map<string, string>() : findOwn(body, dialect)
  if (written.size === 0) return { mark: (linkOf) => linkOf, write: (markdown) => markdown }
  const numbers = new Map([...written.keys()].map((address, index) => [address, index] as const))
  const marked = (address: string | undefined): string | undefined => {
    const number = address === undefined ? undefined : numbers.get(readableUrl(address))
    return number === undefined ? undefined : `${word}l${number}x`
  }
  const words = [...written.values()]
  const pattern = new RegExp(`${word}l(\\d+)x`, 'g')
  return {
    mark: (linkOf) => (url) => {
      const address = linkOf(url)
      return marked(address ?? url) ?? address
    },
    write: (markdown) =>
      markdown.replaceAll(pattern, (whole, number: string) => words[Number(number)] ?? whole),
  }
}

function findOwn(body: string, preset: PresetName): Map<string, string> {
  const own = new Map<string, string>()
  const {
    text: { shortcodes },
    links: { filePrefix },
  } = dialectOf(preset)
  if (shortcodes !== undefined)
    for (const code of readShortcodes(body)) {
      const isAddress = kindIn(shortcodes, code.name) === 'address' && code.kind !== 'escaped'
      const address = isAddress ? addressOf(code) : ''
      if (address !== '' && !own.has(readableUrl(address))) own.set(readableUrl(address), code.written)
    }
  if (filePrefix !== undefined)
    for (const [written, address = ''] of body.matchAll(new RegExp(`${filePrefix}(/[^\\s"'<>()]*)`, 'g')))
      if (!body.includes(`](${address}`)) own.set(readableUrl(address), written)
  return own
}
