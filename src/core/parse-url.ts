/**
 * The URL that `text` is; undefined where it is none. `URL.canParse` is not used: once V8 has optimised its call, it
 * refuses hosts with letters such as `ü` (Node 20 and 22).
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
