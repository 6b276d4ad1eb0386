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
  const length = { 'Content-Length': String(Buffer.byteLength(html)) }
  if (status !== 200) return new Response(html, { status, headers: { ...headers, ...length } })
  const tag = entityTag(html)
  const all = { ...headers, ETag: tag }
  return isKnown(tag, known)
    ? new Response(null, { status: 304, headers: all })
    : new Response(html, { headers: { ...all, ...length } })
}

/**
 * Of all that a page shows, not of the article alone: navigation and names belong to it. A weak one, since a server may
 * send the same page compressed.
 */
function entityTag(html: string): string {
  return `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
}

/** Whether the client has it. A proxy may have made the tag a strong one. */
function isKnown(tag: string, known: string | undefined): boolean {
  const opaque = tag.replace(/^W\//, '')
  return known?.split(',').some((each) => [opaque, '*'].includes(each.trim().replace(/^W\//, ''))) ?? false
}
