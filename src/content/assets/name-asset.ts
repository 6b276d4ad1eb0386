import { basename, extname } from 'node:path'
import filenamify from 'filenamify'

/** Characters of the digest in a name: with 64 bits, two files of one name would have to be 4 thousand million. */
const HASH_LENGTH = 16

/** Names of files end at 255 bytes on common file systems. */
const LONGEST_NAME_BYTES = 200

/**
 * The name under which a file is published: its own, with a digest of its contents, so that an address always shows the
 * same, and may be cached for ever. The same on every machine, and a name that every file system takes.
 */
export function nameAsset(source: string, hash: string): string {
  const file = basename(source).normalize('NFC')
  const ending = extname(file)
  const name = filenamify(file.slice(0, file.length - ending.length), { replacement: '-', maxLength: 200 })
  return `${cutBytes(name)}-${hash.slice(0, HASH_LENGTH)}${ending.toLowerCase()}`
}

/** The address of a published file. */
export function assetAddress(baseUrl: string, name: string): string {
  return `${baseUrl}/${encodeURIComponent(name)}`
}

function cutBytes(name: string): string {
  let cut = ''
  for (const character of name) {
    if (Buffer.byteLength(cut) + Buffer.byteLength(character) > LONGEST_NAME_BYTES) break
    cut += character
  }
  return cut
}
