import { createHash, hash } from 'node:crypto'

/** Length of a digest in hex characters. */
export const DIGEST_LENGTH = 32

/**
 * Returns the first 128 bits of SHA-256 of UTF-8 text or bytes, as 32 lower-case hex characters.
 *
 * Hex rather than base64url, because a digest can be inside an HTML comment, where `--` is not safe everywhere.
 */
export function digest(data: string | Uint8Array): string {
  // A slice of the whole digest would keep all of it in memory; an article has eight digests.
  return hash('sha256', data, 'buffer').toString('hex', 0, DIGEST_LENGTH / 2)
}

/** Returns the digest of a list of parts. The framing keeps `['ab','c']` and `['a','bc']` apart. */
export function digestParts(parts: readonly string[]): string {
  return digest(JSON.stringify(parts))
}

/** Creates the same digest for bytes that arrive in chunks. */
export function createDigest() {
  const running = createHash('sha256')
  const sha256 = () => running.digest('hex')
  return {
    update: (bytes: Uint8Array): void => void running.update(bytes),
    digest: (): string => sha256().slice(0, DIGEST_LENGTH),
    /** Returns the whole digest: 64 characters. */
    sha256,
  }
}
