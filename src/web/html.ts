import type { HtmlEscapedString } from 'hono/utils/html'

/** HTML made with `html` of hono/html: whatever was put into it is escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>
