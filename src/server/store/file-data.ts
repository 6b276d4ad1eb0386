// The files of articles, as the service stores them. Each is named by its digest, so a name has only one content.
import type { PictureSize } from '../../core/stored-file-names.ts'

/** A file without its bytes. */
export interface StoredFile {
  readonly id: string
  readonly sizeBytes: number
  readonly createdDate: string
}

/** Size of each chunk of a file except the last, in bytes. */
export const FILE_CHUNK_BYTES = 262_144

interface NewFile {
  readonly name: string
  readonly sizeBytes: number
  /** The current time. */
  readonly now: string
}

type BeginFileOutcome =
  | { readonly kind: 'begun'; readonly id: string }
  /** It is already stored, and its time of last use is now. */
  | { readonly kind: 'stored' }
  /** The files of the site would exceed `limitBytes`. */
  | { readonly kind: 'full' }

export interface FileStore {
  /**
   * Returns the names for which the site has no stored file.
   *
   * @param now new time of last use of the other files; undefined changes nothing
   */
  findMissingFiles(siteId: string, names: readonly string[], now: string | undefined): Promise<string[]>
  /** Begins an upload, which is invisible until it is finished. @param limitBytes of all files of the site */
  beginFile(siteId: string, file: NewFile, limitBytes: number): Promise<BeginFileOutcome>
  addFileChunk(siteId: string, id: string, position: number, data: Uint8Array): Promise<void>
  /** Makes the upload a stored file, unless another upload of it was finished before. */
  finishFile(
    siteId: string,
    id: string,
    file: NewFile & { readonly picture: PictureSize | undefined },
  ): Promise<void>
  /** Removes an unfinished upload. */
  abandonFile(siteId: string, id: string): Promise<void>
  /**
   * Finds a stored file of any site: anyone who knows its name knows its content.
   *
   * @param hiddenSites files that only these sites have are not found
   */
  findFile(name: string, hiddenSites: readonly string[]): Promise<StoredFile | undefined>
  readFileChunk(id: string, position: number): Promise<Uint8Array | undefined>
  /** Returns the sizes of the pictures among these files. */
  pictureSizes(siteId: string, names: readonly string[]): Promise<ReadonlyMap<string, PictureSize>>
  /**
   * Removes unused files, and unfinished uploads.
   *
   * @param unusedSince files that were uploaded, announced or used after that are kept
   * @param begunBefore uploads that began after that may still arrive
   * @returns number of files removed
   */
  removeUnusedFiles(unusedSince: string, begunBefore: string): Promise<number>
}
