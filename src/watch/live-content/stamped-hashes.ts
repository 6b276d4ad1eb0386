import { type FileStamp, formatStamp } from '../../content/source/find-sources.ts'
import { type FileDigests, hashSource, isSettled } from '../../content/source/hash-sources.ts'

/** Digests of files, each read again only when its stamp does not prove that it is as it was. */
export interface StampedHashes {
  /** Forgets all other files. */
  readonly hashAll: (files: readonly FileStamp[]) => FileDigests
  /** Takes a digest made elsewhere; `stamp` is from before the file was read. */
  readonly note: (stamp: FileStamp, hash: string) => void
}

interface KnownHash {
  readonly stamp: string
  readonly hash: string
}

export function createStampedHashes(contentRoot: string, now: () => number): StampedHashes {
  let known = new Map<string, KnownHash>()
  // A stamp that is too young may stand for two texts: it is not kept, and the file read again next time.
  const keep = (file: FileStamp, hash: string | undefined, into: Map<string, KnownHash>) => {
    const newestMs = Math.max(file.mtimeMs, file.ctimeMs)
    if (hash !== undefined && isSettled({ newestMs }, now()))
      into.set(file.source, { stamp: formatStamp(file), hash })
    else into.delete(file.source)
  }
  return {
    hashAll: (files) => {
      const next = new Map<string, KnownHash>()
      const hashes = files.map((file) => {
        const before = known.get(file.source)
        if (before !== undefined && before.stamp === formatStamp(file)) {
          next.set(file.source, before)
          return [file.source, before.hash] as const
        }
        const hash = hashSource(contentRoot, file.source)
        keep(file, hash, next)
        return [file.source, hash] as const
      })
      known = next
      return new Map(hashes)
    },
    note: (stamp, hash) => keep(stamp, hash, known),
  }
}
