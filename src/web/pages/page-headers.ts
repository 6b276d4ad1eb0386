import type { PageSite, Viewer } from './page-source.ts'

/** Base path of all files and actions of the pages that are not pages. */
export const OWN_PATH = '/_kb'

/** Sources that pages may load in addition to the usual ones, in the form of a policy. */
export interface PageSources {
  readonly style: readonly string[]
  readonly font: readonly string[]
  readonly frame: readonly string[]
}

/**
 * Allows only our own scripts and styles, and those of the configuration. Articles may show images, video and audio of
 * other hosts.
 */
function pagePolicy({ style, font, frame }: PageSources): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ['style-src', "'self'", ...style].join(' '),
    ...(font.length === 0 ? [] : [['font-src', ...font].join(' ')]),
    ...(frame.length === 0 ? [] : [['frame-src', ...frame].join(' ')]),
    "img-src 'self' data: http: https:",
    "media-src 'self' http: https:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The referrer is sent only to the same host, where forms need it. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
} as const

const VARY = 'Authorization, Cookie, Accept-Encoding'

/** Headers of a page that depends on the language of the browser, if there are several. */
export function byLanguage({ languages }: Pick<PageSite, 'languages'>): Readonly<Record<string, string>> {
  return languages.length > 1 ? { Vary: `${VARY}, Accept-Language, Referer, Sec-Fetch-Site` } : {}
}

/** Returns the headers of a page. Always revalidated; 304 if unchanged. An author's pages are private. */
export function pageHeaders(viewer: Viewer, sources: PageSources): Readonly<Record<string, string>> {
  return {
    ...SECURITY_HEADERS,
    'Content-Security-Policy': pagePolicy(sources),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': viewer === 'author' ? 'private, no-cache' : 'no-cache',
    Vary: VARY,
  }
}

export function assetHeaders(contentType: string): Readonly<Record<string, string>> {
  // A browser embeds a PDF in a page of its viewer, which a sandbox prevents.
  const policy = contentType === 'application/pdf' ? "object-src 'self'" : 'sandbox'
  return {
    ...SECURITY_HEADERS,
    // An image may be opened on its own.
    'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; ${policy}`,
    'Content-Type': contentType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  }
}
