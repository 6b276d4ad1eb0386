/** Converts a path with `/` to the path of a URL, with its names encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
