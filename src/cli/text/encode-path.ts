/** A path with `/` as the path of an address, in which its names are nothing but names. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
