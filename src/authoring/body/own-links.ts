import type { PresetName } from '../../core/model/preset-name.ts'
import { readShortcodes } from '../../content/dialect/hugo/read-shortcodes.ts'
import { linkOf as addressOf } from '../../content/dialect/hugo/shown-shortcodes.ts'
import { readableUrl } from '../../core/readable-url.ts'
import type { LinkOf } from '../../content/write-back/html/readdress.ts'

/** Writes links as their author did, in words that no address of Markdown may have. */
export interface OwnLinks {
  /** The same addresses, with a word in place of each that has words of its own. */
  readonly mark: (linkOf: LinkOf) => LinkOf
  /** The words in place of the marks. */
  readonly write: (markdown: string) => string
}

/**
 * Learns from `body` which addresses its author wrote in the words of `dialect`.
 *
 * @param word that stands nowhere in the body
 */
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

function findOwn(body: string, dialect: PresetName): Map<string, string> {
  const own = new Map<string, string>()
  if (dialect === 'hugo')
    for (const code of readShortcodes(body)) {
      const address = /^(?:rel)?ref$/.test(code.name) && code.kind !== 'escaped' ? addressOf(code) : ''
      if (address !== '' && !own.has(readableUrl(address))) own.set(readableUrl(address), code.written)
    }
  if (dialect === 'docusaurus')
    for (const [written, address = ''] of body.matchAll(/pathname:\/\/(\/[^\s"'<>()]*)/g))
      if (!body.includes(`](${address}`)) own.set(readableUrl(address), written)
  return own
}
