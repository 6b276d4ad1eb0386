/** An address with its percent-encoding undone where that can be, for people to read. */
export function readableUrl(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
