/** A URL with its percent-encoding decoded where possible, for display. */
export function readableUrl(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
