// Files that a service with the extension `files` stores beside its articles.

/** A local file that the target stores. */
export interface LocalFile {
  /** SHA-256 of its bytes and its type: `9f86…0a08.png`. */
  readonly name: string
  /** Path under the content root. */
  readonly source: string
  readonly bytes: number
}

/** A stored file as used by an article. */
export interface UsedFile extends LocalFile {
  /** Path and line of the first use: `guides/setup.md:12`. */
  readonly usedAt: string
}
