// Kept as plain objects that go into every answer as they are: nothing is left to do once an answer is made.

/** What every answer carries. TLS and its headers are the business of the proxy in front. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** What any answer carries that may be sent compressed, also where it is too short for that. */
export const ENCODED_HEADERS = { Vary: 'Accept-Encoding' } as const

/** For answers that no browser should show, run or keep. */
export const DATA_HEADERS = {
  ...SECURITY_HEADERS,
  ...ENCODED_HEADERS,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
} as const

export const JSON_HEADERS = { 'Content-Type': 'application/json', ...DATA_HEADERS } as const
