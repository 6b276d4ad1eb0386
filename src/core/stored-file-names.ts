// The names of files that a service stores: the SHA-256 of the sent bytes, and the type.

const NAME = String.raw`[\da-f]{64}\.[\da-z]{3,4}`

/** A whole name. */
export const STORED_FILE_NAME = new RegExp(`^${NAME}$`)

/** Path of the stored files. */
export const STORED_FILES_PATH = '/files/'

/**
 * The names of the stored files that `html` refers to, in whatever attribute, each once.
 *
 * @param most maximum number of names; the rest is left out
 */
export function storedFileNamesIn(html: string, most: number = Number.POSITIVE_INFINITY): string[] {
  const names = new Set<string>()
  if (!html.includes(STORED_FILES_PATH)) return []
  for (const [, name] of html.matchAll(new RegExp(`${STORED_FILES_PATH}(${NAME})`, 'g'))) {
    if (names.size === most) break
    names.add(name as string)
  }
  return [...names]
}

/** The name in the path of a URL; undefined for any other path. */
export function storedFileNameOf(path: string): string | undefined {
  const name = path.slice(STORED_FILES_PATH.length)
  return path.startsWith(STORED_FILES_PATH) && STORED_FILE_NAME.test(name) ? name : undefined
}

export interface PictureSize {
  readonly width: number
  readonly height: number
}
