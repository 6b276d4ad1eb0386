// The files of articles, as the service stores them. A file is named by its digest, so that a name has one content.
import type { PictureSize } from '../../core/stored-file-names.ts'

/** A file without its bytes. */
export interface StoredFile {
  readonly id: string
  readonly sizeBytes: number
  readonly createdDate: string
}

/** Bytes of each chunk of a file but the last. */
export const FILE_CHUNK_BYTES = 262_144

interface NewFile {
  readonly name: string
  readonly sizeBytes: number
  /** The current time. */
  readonly now: string
}

type BeginFileOutcome =
  | { readonly kind: 'begun'; readonly id: string }
  /** It is stored already, and kept as if it had been uploaded now. */
  | { readonly kind: 'stored' }
  /** The files of the site would have more than `limitBytes`. */
  | { readonly kind: 'full' }

export interface FileStore {
  /**
   * Those of the names that no stored file of the site has.
   *
   * @param now the other files are kept as if they had been uploaded now; undefined changes nothing
   */
  findMissingFiles(siteId: string, names: readonly string[], now: string | undefined): Promise<string[]>
  /** Begins an upload, which no one sees until it is finished. @param limitBytes of all files of the site */
  beginFile(siteId: string, file: NewFile, limitBytes: number): Promise<BeginFileOutcome>
  addFileChunk(siteId: string, id: string, position: number, data: Uint8Array): Promise<void>
  /** The upload becomes a stored file, unless another upload of it was finished before. */
  finishFile(
    siteId: string,
    id: string,
    file: NewFile & { readonly picture: PictureSize | undefined },
  ): Promise<void>
  /** Removes an upload that was not finished. */
  abandonFile(siteId: string, id: string): Promise<void>
  /**
   * A stored file, of whichever site: who knows its name knows its content.
   *
   * @param hiddenSites files that only these sites have are not found
   */
  findFile(name: string, hiddenSites: readonly string[]): Promise<StoredFile | undefined>
  readFileChunk(id: string, position: number): Promise<Uint8Array | undefined>
  /** The sizes of the pictures among these files. */
  pictureSizes(siteId: string, names: readonly string[]): Promise<ReadonlyMap<string, PictureSize>>
  /**
   * Removes files that nothing uses, and uploads that were not finished.
   *
   * @param unusedSince files that were uploaded, announced or used after that are kept
   * @param begunBefore uploads that began after that may still arrive
   * @returns number of files removed
   */
  removeUnusedFiles(unusedSince: string, begunBefore: string): Promise<number>
}
