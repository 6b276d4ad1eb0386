import { createHash } from 'node:crypto'

interface HtmlAnswer {
  /** 200 by default. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** Header If-None-Match of the request. */
  readonly known: string | undefined
}

/** An answer with HTML, or the short one for who has it already. */
export function sendHtml(html: string, { status = 200, headers, known }: HtmlAnswer): Response {
  if (status !== 200) return new Response(html, { status, headers })
  const tag = entityTag(html)
  const all = { ...headers, ETag: tag }
  return isKnown(tag, known)
    ? new Response(null, { status: 304, headers: all })
    : new Response(html, { headers: all })
}

/** Of all that a page shows, not of the article alone: navigation and names belong to it. */
function entityTag(html: string): string {
  return `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
}

/** A proxy that packs an answer makes its tag a weak one. */
function isKnown(tag: string, known: string | undefined): boolean {
  return known?.split(',').some((each) => [tag, '*'].includes(each.trim().replace(/^W\//, ''))) ?? false
}
