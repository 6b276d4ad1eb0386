// The number of concurrent uploads.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/api/client/create-client.ts'
import { FileUploads } from '../../../src/sync/apply/file-uploads.ts'
import { createProject } from '../../support/project.ts'
import { fileName } from '../../support/stored-files.ts'

const success = JSON.stringify({ success: true, message: '' })

/** A service that lacks all files, and counts concurrent uploads. */
async function startService() {
  const counts = { open: 0, most: 0 }
  const respond = async (request: IncomingMessage): Promise<string> => {
    if (request.method === 'POST') {
      const { files } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { files: string[] }
      return JSON.stringify({ success: true, message: '', data: files })
    }
    counts.most = Math.max(counts.most, ++counts.open)
    await request.toArray()
    counts.open--
    return success
  }
  const server = createServer((request, response) => {
    void respond(request).then((text) => response.setHeader('Content-Type', 'application/json').end(text))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, counts }
}

test('few large files are uploaded concurrently', async () => {
  const { url, counts } = await startService()
  const project = createProject({})
  const files = Array.from({ length: 6 }, (_, index) => {
    const bytes = Buffer.alloc(1_000_000, `${index}`)
    project.write({ [`content/${index}.txt`]: bytes })
    return { name: fileName('txt', bytes), source: `${index}.txt`, bytes: bytes.length, usedAt: 'a.md:1' }
  })
  const client = createClient({ url, apiKey: 'key', timeoutMs: 30_000, retries: 0, concurrency: 8 })
  onTestFinished(() => client.close())
  const uploads = new FileUploads({ client, contentRoot: `${project.root}/content`, isOffered: true })
  await uploads.ask([{ files }])
  expect(await uploads.send({ files })).toBeUndefined()
  expect(uploads.uploaded()).toEqual({ uploaded: 6, bytes: 6_000_000 })
  expect(counts.most).toBeLessThanOrEqual(2)
})
