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
  // A page may be large: it becomes bytes once.
  const bytes = Buffer.from(html)
  const length = { 'Content-Length': String(bytes.length) }
  if (status !== 200) return new Response(bytes, { status, headers: { ...headers, ...length } })
  const tag = entityTag(bytes)
  const all = { ...headers, ETag: tag }
  return isKnown(tag, known)
    ? new Response(null, { status: 304, headers: all })
    : new Response(bytes, { headers: { ...all, ...length } })
}

/**
 * Of all that a page shows, not of the article alone: navigation and names belong to it. A weak one, since a server may
 * send the same page compressed.
 */
function entityTag(bytes: Uint8Array): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

/** Whether the client has it. A proxy may have made the tag a strong one. */
function isKnown(tag: string, known: string | undefined): boolean {
  const opaque = tag.replace(/^W\//, '')
  return known?.split(',').some((each) => [opaque, '*'].includes(each.trim().replace(/^W\//, ''))) ?? false
}
