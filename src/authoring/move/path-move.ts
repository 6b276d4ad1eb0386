/** The old and new path of a file or folder in the content folder, with `/`. */
export interface PathMove {
  readonly from: string
  readonly to: string
  readonly isFolder: boolean
}

/** Returns the path after the move; unchanged if it does not move. */
export function pathAfter({ from, to, isFolder }: PathMove, path: string): string {
  return changed(path, from, to, isFolder)
}

export function pathBefore({ from, to, isFolder }: PathMove, path: string): string {
  return changed(path, to, from, isFolder)
}

function changed(path: string, from: string, to: string, isFolder: boolean): string {
  const [form, prefix] = [path.normalize('NFC'), from.normalize('NFC')]
  if (form === prefix) return to
  if (!isFolder || !form.startsWith(`${prefix}/`)) return path
  // The same number of parts, in any Unicode form.
  const rest = path.split('/').slice(from.split('/').length)
  return [to, ...rest].join('/')
}
