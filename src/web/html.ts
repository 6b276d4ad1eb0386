import type { HtmlEscapedString } from 'hono/utils/html'

/** HTML from `html` of hono/html, with all values escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>
