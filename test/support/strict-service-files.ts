// The extension `files` of the service: files by their digests.
import { createHash } from 'node:crypto'
import { ok, refuse, type Reply } from './strict-service-reply.ts'

export type ServiceFiles = ReturnType<typeof createServiceFiles>

/** @param refuses says why a file is refused, or undefined */
export function createServiceFiles(refuses: (name: string) => string | undefined = () => undefined) {
  const stored = new Map<string, Buffer>()
  return {
    stored,
    /** @param body of `PUT` the bytes */
    answer: (method: string, path: string, body: unknown): Reply => {
      if (method === 'POST' && path === '/api/v2/files/missing') {
        const { files } = body as { readonly files: readonly string[] }
        if (files.length > 1000) return refuse(400, 'Too many files')
        const data = files.filter((name) => !stored.has(name))
        return ok({ message: '', data, limits: { fileBytes: 1_000_000 } })
      }
      const name = /^\/api\/v2\/files\/([\da-f]{64}\.[a-z\d]{2,4})$/.exec(path)?.[1]
      if (method !== 'PUT' || name === undefined || !Buffer.isBuffer(body)) return refuse(404, 'Not found')
      const reason = refuses(name)
      if (reason !== undefined) return refuse(400, reason)
      if (!name.startsWith(createHash('sha256').update(body).digest('hex')))
        return refuse(400, 'Wrong digest')
      stored.set(name, body)
      return ok({ message: 'The file was stored' })
    },
  }
}
