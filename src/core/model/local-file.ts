// Files that a service with the extension `files` stores beside its articles.

/** A local file that the target stores. */
export interface LocalFile {
  /** The SHA-256 of its bytes and its type: `9f86…0a08.png`. */
  readonly name: string
  /** Path under the content root. */
  readonly source: string
  readonly bytes: number
}

/** A stored file, where an article uses it. */
export interface UsedFile extends LocalFile {
  /** The first use, as path and line: `guides/setup.md:12`. */
  readonly usedAt: string
}
