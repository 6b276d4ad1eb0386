import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** HTML from `html` of hono/html, with all values escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

/** Allows breaks after the dots of a name such as `Company.Product.Part`. Elsewhere, a break would divide a word. */
export function breakable(name: string): Html {
  const [first, ...rest] = name.split(/(?<=[\p{L}\d]\.)(?=\p{L})/u)
  return html`${first}${rest.map((part) => html`<wbr />${part}`)}`
}
