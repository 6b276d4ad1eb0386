/**
 * Parses a URL; undefined if it is invalid. Not with `URL.canParse`: once V8 has optimised the call, it rejects hosts
 * with letters such as `ü` (Node 20 and 22).
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
