// Files that a service with the extension `files` stores beside its articles.

/** A local file that the target stores. */
export interface StoredFile {
  /** The SHA-256 of its bytes and its type: `9f86…0a08.png`. */
  readonly name: string
  /** Path under the content root. */
  readonly source: string
  readonly bytes: number
}

/** A stored file, where an article uses it. */
export interface UsedFile extends StoredFile {
  /** The first use, as path and line: `guides/setup.md:12`. */
  readonly usedAt: string
}

/** The URL of a stored file in the HTML of an article. */
export function storedFileUrl(name: string): string {
  return `/files/${name}`
}

/** True for the path of a URL of a stored file. */
export function isStoredFileUrl(path: string): boolean {
  return /^\/files\/[\da-f]{64}\.[\da-z]+$/.test(path)
}
