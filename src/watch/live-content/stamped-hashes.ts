import { type FileStamp, formatStamp } from '../../content/source/find-sources.ts'
import { type FileDigests, hashSource, isSettled } from '../../content/source/hash-sources.ts'

/** Digests of files. A file is read again unless its stamp proves that it is unchanged. */
export interface StampedHashes {
  /** Forgets all other files. */
  readonly hashAll: (files: readonly FileStamp[]) => FileDigests
  /** Stores a digest that was computed elsewhere. @param stamp taken before the file was read */
  readonly note: (stamp: FileStamp, hash: string) => void
}

interface KnownHash {
  readonly stamp: string
  readonly hash: string
}

export function createStampedHashes(contentRoot: string, now: () => number): StampedHashes {
  let known = new Map<string, KnownHash>()
  // Two texts may share a stamp that is too young, so it is not stored, and the file is read again next time.
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
