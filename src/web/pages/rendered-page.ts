import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { PageBody } from './page-body.ts'

/** A page as it is sent, without the headers of a request. */
export interface RenderedPage {
  readonly status: number
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Its entity tag. */
  readonly tag: string
  readonly headers: Readonly<Record<string, string>>
}

/** Encodes a page once, because it may be large. */
export function toPage(html: string, body: Pick<PageBody, 'status' | 'headers'>): RenderedPage {
  const { status = 200, headers = {} } = body
  const bytes = Buffer.from(html)
  return { status, bytes, tag: entityTag(bytes), headers }
}

/** Responds with a page, or 304 if the client already has it. */
export function sendPage(
  page: RenderedPage,
  headers: Readonly<Record<string, string>>,
  c: Context,
): Response {
  const { status, bytes, tag } = page
  const all = { ...headers, ...page.headers, 'Content-Length': String(bytes.length) }
  if (status !== 200) return new Response(bytes, { status, headers: all })
  if (!isKnown(tag, c.req.header('If-None-Match')))
    return new Response(bytes, { headers: { ...all, ETag: tag } })
  return new Response(null, { status: 304, headers: { ...headers, ...page.headers, ETag: tag } })
}

/**
 * Computes the entity tag of everything that a page shows, including navigation and names. Weak, since a server may
 * compress the page.
 */
export function entityTag(bytes: Uint8Array): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

export function isKnown(tag: string, known: string | undefined): boolean {
  const opaque = tag.replace(/^W\//, '')
  return known?.split(',').some((each) => [opaque, '*'].includes(each.trim().replace(/^W\//, ''))) ?? false
}

/** A page that takes more than this part of the cache is not cached, because it would replace many others. */
const LARGE_PARTS = 64

/** Approximate size of an entry, excluding its bytes. */
const ENTRY_BYTES = 500

/** Caches the pages of one revision of the content. Another revision empties the cache. */
export function createPageCache(limitBytes: number) {
  const pages = new Map<string, RenderedPage>()
  let keptRevision = ''
  let keptBytes = 0

  function keep(key: string, page: RenderedPage): void {
    if (page.status !== 200 || sizeOf(key, page) > limitBytes / LARGE_PARTS) return
    // A concurrent request may have cached the same page.
    const present = pages.get(key)
    keptBytes += sizeOf(key, page) - (present === undefined ? 0 : sizeOf(key, present))
    pages.set(key, page)
    // A map returns its keys in insertion order: the first is the least recently used.
    for (const [oldest, old] of pages) {
      if (keptBytes <= limitBytes) return
      pages.delete(oldest)
      keptBytes -= sizeOf(oldest, old)
    }
  }

  return {
    find(key: string, revision: string): RenderedPage | undefined {
      if (revision !== keptRevision) {
        pages.clear()
        keptBytes = 0
        keptRevision = revision
      }
      const page = pages.get(key)
      if (page === undefined) return undefined
      pages.delete(key)
      pages.set(key, page)
      return page
    },
    /** @param revision read before the page was rendered, so that no page is older than its revision */
    keep(key: string, revision: string, page: RenderedPage): void {
      if (revision === keptRevision) keep(key, page)
    },
  }
}

function sizeOf(key: string, { bytes }: RenderedPage): number {
  return bytes.length + key.length + ENTRY_BYTES
}
