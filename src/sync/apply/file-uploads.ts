// Files are uploaded before the articles that use them. If an upload fails, only these articles fail.
import limitConcurrency from 'p-limit'
import { closeSync, read } from 'node:fs'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { FileTransfer } from '../../api/client/file-transfer.ts'
import { UnreadableUpload } from '../../api/client/send-request.ts'
import { openInside } from '../../content/assets/open-inside.ts'
import { createDigest } from '../../core/digest.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { LocalFile } from '../../core/model/local-file.ts'
import { formatBytes } from '../../core/quantities.ts'
import { settleAll } from '../../core/settle-all.ts'

interface UploadOptions {
  readonly client: FileTransfer
  readonly contentRoot: string
  /** True if the target stores files. */
  readonly isOffered: boolean
}

/** The files that were uploaded, or would be. */
export interface UploadedFiles {
  readonly uploaded: number
  readonly bytes: number
}

type Question =
  | { readonly kind: 'answered'; readonly missing: ReadonlySet<string>; readonly mostBytes: number }
  | { readonly kind: 'failed'; readonly reason: string }

/** Files of this size are uploaded few at a time: they share the bandwidth, and a target gives each one limited time. */
const LARGE_BYTES = 1_000_000
const LARGE_AT_ONCE = 2

export class FileUploads {
  readonly #options: UploadOptions
  readonly #uploads = new Map<string, Promise<string | undefined>>()
  readonly #limitLarge = limitConcurrency(LARGE_AT_ONCE)
  #question: Question = { kind: 'answered', missing: new Set(), mostBytes: Infinity }
  #uploaded: UploadedFiles = { uploaded: 0, bytes: 0 }

  constructor(options: UploadOptions) {
    this.#options = options
  }

  /**
   * Returns the files that the target lacks; all files, if the target does not say. The others count as stored.
   *
   * @throws KbError TARGET_UNREACHABLE, INTERRUPTED
   */
  async ask(articles: readonly Pick<LocalArticle, 'files'>[]): Promise<readonly LocalFile[]> {
    const files = new Map(articles.flatMap(({ files: used = [] }) => used.map((file) => [file.name, file])))
    if (files.size === 0) return []
    this.#question = await this.#ask([...files.keys()])
    const question = this.#question
    return [...files.values()].filter(({ name }) => question.kind === 'failed' || question.missing.has(name))
  }

  async #ask(names: readonly string[]): Promise<Question> {
    if (!this.#options.isOffered) return { kind: 'failed', reason: NOT_OFFERED }
    try {
      const { missing, mostBytes = Infinity } = await this.#options.client.findMissingFiles(names)
      return { kind: 'answered', missing: new Set(missing), mostBytes }
    } catch (error) {
      if (!(error instanceof KbError) || ENDS_RUN.has(error.code)) throw error
      return { kind: 'failed', reason: error.message.replace(/\.$/, '') }
    }
  }

  /**
   * Uploads the files of an article that the target lacks, once for all articles. Returns the reason if this fails.
   *
   * @throws KbError TARGET_UNREACHABLE, TARGET_FAILED, INTERRUPTED
   */
  async send({ files = [] }: Pick<LocalArticle, 'files'>): Promise<string | undefined> {
    const results = await settleAll(
      files.map(async (file) => {
        const reason = await this.#sendOnce(file)
        const { source, usedAt } = file
        return reason === undefined ? [] : [`the file "${source}" (${usedAt}) was not uploaded: ${reason}`]
      }),
    )
    return results.flat()[0]
  }

  #sendOnce(file: LocalFile): Promise<string | undefined> {
    const begun = this.#uploads.get(file.name)
    if (begun !== undefined) return begun
    const upload = file.bytes < LARGE_BYTES ? this.#send(file) : this.#limitLarge(() => this.#send(file))
    this.#uploads.set(file.name, upload)
    return upload
  }

  async #send({ name, source, bytes }: LocalFile): Promise<string | undefined> {
    if (this.#question.kind === 'failed') return this.#question.reason
    const { missing, mostBytes } = this.#question
    if (!missing.has(name)) return undefined
    if (bytes > mostBytes)
      return `it has ${formatBytes(bytes)}, and the target takes files of up to ${formatBytes(mostBytes)}; make it smaller`
    const { client, contentRoot } = this.#options
    const open = () => Readable.from(readUnchanged(contentRoot, { name, source, bytes }))
    try {
      const outcome = await client.uploadFile({ name, bytes, open })
      if (outcome.kind === 'refused') return `the target refused it: ${outcome.message}`
      if (outcome.kind === 'lost') return `the response was lost (${outcome.reason}); run again`
    } catch (error) {
      if (error instanceof UnreadableUpload) return error.message
      throw error
    }
    this.#uploaded = { uploaded: this.#uploaded.uploaded + 1, bytes: this.#uploaded.bytes + bytes }
    return undefined
  }

  uploaded(): UploadedFiles {
    return this.#uploaded
  }
}

const ENDS_RUN: ReadonlySet<string> = new Set(['TARGET_UNREACHABLE', 'INTERRUPTED'])

const NOT_OFFERED =
  'the target does not store files; make it smaller, raise assets.inlineUnder, or set assets.baseUrl'

const CHUNK_BYTES = 1 << 18

const readAt = promisify(read)

/** Yields the bytes of a file. The last chunk follows only if all are the same as when the content was read. */
async function* readUnchanged(contentRoot: string, { name, source, bytes }: LocalFile) {
  const opened = openInside(contentRoot, source)
  if (opened.kind !== 'opened') throw changed()
  try {
    if (opened.size !== bytes) throw changed()
    const digest = createDigest()
    for (let at = 0; at < bytes;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes - at))
      const { bytesRead } = await readAt(opened.descriptor, chunk, 0, chunk.length, at).catch(unreadable)
      const part = chunk.subarray(0, bytesRead)
      digest.update(part)
      at += bytesRead
      if (bytesRead === 0 || (at === bytes && !name.startsWith(`${digest.sha256()}.`))) throw changed()
      yield part
    }
  } finally {
    closeSync(opened.descriptor)
  }
}

function unreadable(error: unknown): never {
  throw new UnreadableUpload(`it could not be read: ${reasonOf(error)}`)
}

function changed(): UnreadableUpload {
  return new UnreadableUpload('it was changed during the run; run again')
}
