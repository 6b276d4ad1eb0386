import type { Viewer } from './page-source.ts'

/** Where everything lies that belongs to the pages and is no page. */
export const OWN_PATH = '/_kb'

/**
 * Nothing but our own files may run or give styles; articles may show pictures, films and sounds of other hosts. Pages
 * tell their own host from which page a form was sent, and no one else.
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

/** Always asked for again, and answered in short where nothing changed. What an author sees is no one else's. */
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
    // A picture may be opened on its own.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'Content-Type': contentType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  }
}
