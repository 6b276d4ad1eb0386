// Files of the articles: the extensions `files` and `sources`.
import type { Readable } from 'node:stream'
import { MOST_FILE_NAMES, MOST_SOURCES, type SourcesRequest } from '../contract/request.ts'
import { pathOf, routes } from '../contract/routes.ts'
import { type Origin, assertAccepted, readAnswer } from './read-answer.ts'
import type { OutgoingRequest } from './send-request.ts'
import { INSUFFICIENT_STORAGE, type SendWithRetries } from './send-with-retries.ts'
import { judgeWrite, type WriteOutcome } from './write-outcome.ts'

export interface FileUpload {
  /** Consists of the SHA-256 of its bytes and its type. */
  readonly name: string
  readonly bytes: number
  /** Opens the file at its start, for each attempt. */
  readonly open: () => Readable
}

export type FileTransfer = ReturnType<typeof createFileTransfer>

export function createFileTransfer(send: SendWithRetries, originOf: (request: OutgoingRequest) => Origin) {
  const { findMissingFiles, putFile, setSources } = routes
  const ask = async (files: readonly string[]) => {
    const request = { method: findMissingFiles.method, path: pathOf(findMissingFiles), body: { files } }
    return readAnswer(await send(request, 'any-failure'), findMissingFiles.lenient, originOf(request))
  }
  return {
    /** Returns the files that the target lacks, and the maximum size that it accepts. Throws as a read. */
    findMissingFiles: async (names: readonly string[]) => {
      const missing: string[] = []
      let mostBytes: number | undefined
      for (let at = 0; at < names.length; at += MOST_FILE_NAMES) {
        const { data, limits } = await ask(names.slice(at, at + MOST_FILE_NAMES))
        missing.push(...data)
        mostBytes = limits?.fileBytes ?? mostBytes
      }
      return { missing, mostBytes }
    },
    /**
     * Stores a file. Its name is its digest, so it may be sent again after any failure.
     *
     * @throws UnreadableUpload of the stream, and KbError as a write
     */
    uploadFile: async ({ name, bytes, open }: FileUpload): Promise<WriteOutcome> => {
      const request = { method: putFile.method, path: pathOf(putFile, name), upload: { bytes, open } }
      const result = await send(request, 'any-failure')
      assertAccepted(result, originOf(request))
      const outcome = judgeWrite(result, originOf(request).quote)
      // A server error usually leaves open whether a write was done.
      return outcome.kind === 'lost' && result.kind === 'answered' && result.status === INSUFFICIENT_STORAGE
        ? { kind: 'refused', status: result.status, message: outcome.reason }
        : outcome
    },
    /** Sets the source files of articles. Repeating it changes nothing. Throws as a read. */
    setSources: async (all: SourcesRequest['sources']) => {
      for (let at = 0; at < all.length; at += MOST_SOURCES) {
        const body = { sources: all.slice(at, at + MOST_SOURCES) }
        const request = { method: setSources.method, path: pathOf(setSources), body }
        readAnswer(await send(request, 'any-failure'), setSources.lenient, originOf(request))
      }
    },
  }
}
