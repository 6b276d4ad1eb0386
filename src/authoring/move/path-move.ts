/** One file or folder with a new path, both under the content root, with `/`. */
export interface PathMove {
  readonly from: string
  readonly to: string
  readonly isFolder: boolean
}

/** Where a path is after the move; the same where it is not moved. */
export function pathAfter({ from, to, isFolder }: PathMove, path: string): string {
  return changed(path, from, to, isFolder)
}

/** Where a path was before the move. */
export function pathBefore({ from, to, isFolder }: PathMove, path: string): string {
  return changed(path, to, from, isFolder)
}

function changed(path: string, from: string, to: string, isFolder: boolean): string {
  const [form, prefix] = [path.normalize('NFC'), from.normalize('NFC')]
  if (form === prefix) return to
  if (!isFolder || !form.startsWith(`${prefix}/`)) return path
  // The same number of parts, whatever the Unicode form of each.
  const rest = path.split('/').slice(from.split('/').length)
  return [to, ...rest].join('/')
}
