import type { Viewer } from './page-source.ts'

/** Base path of everything that belongs to the pages and is not a page. */
export const OWN_PATH = '/_kb'

/**
 * Only our own scripts and styles are allowed; articles may show images, video and audio of other hosts. The referrer
 * is sent only to the same host, for forms.
 */
const SECURITY_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: http: https:",
    "media-src 'self' http: https:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
} as const

/** Always revalidated; 304 if unchanged. An author's pages are private. */
export function pageHeaders(viewer: Viewer): Readonly<Record<string, string>> {
  return {
    ...SECURITY_HEADERS,
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': viewer === 'author' ? 'private, no-cache' : 'no-cache',
    Vary: 'Authorization, Cookie, Accept-Encoding',
  }
}

export function assetHeaders(contentType: string): Readonly<Record<string, string>> {
  return {
    ...SECURITY_HEADERS,
    // An image may be opened on its own.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'Content-Type': contentType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  }
}
