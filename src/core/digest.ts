import { createHash, hash } from 'node:crypto'

/** Length of a digest, in hex characters. */
export const DIGEST_LENGTH = 32

/**
 * The first 128 bits of SHA-256 over the UTF-8 text or bytes, as 32 lower-case hex characters.
 *
 * Hex rather than base64url: a digest may stand inside an HTML comment, where `--` is not safe everywhere.
 */
export function digest(data: string | Uint8Array): string {
  // Not a slice of the whole digest, which would stay in memory with it: an article has eight of these.
  return hash('sha256', data, 'buffer').toString('hex', 0, DIGEST_LENGTH / 2)
}

/** Digest of a list of parts; the framing keeps `['ab','c']` and `['a','bc']` apart. */
export function digestParts(parts: readonly string[]): string {
  return digest(JSON.stringify(parts))
}

/** The same digest of bytes that arrive in pieces. */
export function createDigest() {
  const running = createHash('sha256')
  const sha256 = () => running.digest('hex')
  return {
    update: (bytes: Uint8Array): void => void running.update(bytes),
    digest: (): string => sha256().slice(0, DIGEST_LENGTH),
    /** All of it: 64 characters. */
    sha256,
  }
}
