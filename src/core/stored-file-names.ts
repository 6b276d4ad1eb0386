// Names of the files that a service stores: SHA-256 of the sent bytes, and type.

const NAME = String.raw`[\da-f]{64}\.[\da-z]{3,4}`

/** Matches a whole name. */
export const STORED_FILE_NAME = new RegExp(`^${NAME}$`)

export const STORED_FILES_PATH = '/files/'

/**
 * Returns the names of the stored files that `html` refers to, in any attribute, without duplicates.
 *
 * @param most maximum number of names; the rest is left out
 */
export function storedFileNamesIn(html: string, most: number = Number.POSITIVE_INFINITY): string[] {
  const names = new Set<string>()
  // Without its first slash, which every end tag has, the path is found in half the time.
  if (!html.includes(STORED_FILES_PATH.slice(1))) return []
  for (const [, name] of html.matchAll(new RegExp(`${STORED_FILES_PATH}(${NAME})`, 'g'))) {
    if (names.size === most) break
    names.add(name as string)
  }
  return [...names]
}

/** Returns the file name in a URL path, or undefined for any other path. */
export function storedFileNameOf(path: string): string | undefined {
  const name = path.slice(STORED_FILES_PATH.length)
  return path.startsWith(STORED_FILES_PATH) && STORED_FILE_NAME.test(name) ? name : undefined
}

export interface PictureSize {
  readonly width: number
  readonly height: number
}
