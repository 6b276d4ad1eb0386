import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { UnreadableUpload } from '../../../src/api/client/send-request.ts'
import { openClient } from './test-client.ts'

const NAME = `${'0a'.repeat(32)}.png`

async function open(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | void) {
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return openClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

function reply(outgoing: ServerResponse, body: object, status = 200) {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

test('a query for many files is several requests', async () => {
  const counts: number[] = []
  const client = await open(async (incoming, outgoing) => {
    const { files } = JSON.parse((await buffer(incoming)).toString()) as { readonly files: readonly string[] }
    counts.push(files.length)
    reply(outgoing, { success: true, message: '', data: files.slice(0, 1), limits: { fileBytes: 7 } })
  })
  const names = Array.from({ length: 1500 }, (_, index) => `${index.toString(16).padStart(64, '0')}.png`)
  expect(await client.findMissingFiles(names)).toEqual({ missing: [names[0], names[1000]], mostBytes: 7 })
  expect(counts).toEqual([1000, 500])
})

test('an upload whose connection is cut is repeated from its start', async () => {
  const bytes = Buffer.alloc(1_000_000, 'x')
  const seen: unknown[] = []
  let opened = 0
  const client = await open(async (incoming, outgoing) => {
    const { headers, method, url } = incoming
    if (seen.length === 0) {
      seen.push('cut')
      incoming.once('data', () => incoming.socket.destroy())
      return
    }
    const isWhole = (await buffer(incoming)).equals(bytes)
    const { 'content-type': type, 'content-length': length } = headers
    seen.push({ method, url, type, length, isWhole })
    reply(outgoing, { success: true, message: 'The file was stored' })
  })
  const upload = {
    name: NAME,
    bytes: bytes.length,
    open: () => {
      opened++
      return Readable.from([bytes.subarray(0, 400_000), bytes.subarray(400_000)])
    },
  }
  expect(await client.uploadFile(upload)).toEqual({ kind: 'done', message: 'The file was stored' })
  expect(opened).toBe(2)
  expect(seen).toEqual([
    'cut',
    {
      method: 'PUT',
      url: `/api/v2/files/${NAME}`,
      type: 'application/octet-stream',
      length: '1000000',
      isWhole: true,
    },
  ])
})

test('an upload to a full store is rejected, and not repeated', async () => {
  let count = 0
  const client = await open(async (incoming, outgoing) => {
    count++
    await buffer(incoming)
    reply(outgoing, { success: false, message: 'The store is full' }, 507)
  })
  const upload = { name: NAME, bytes: 1, open: () => Readable.from([Buffer.from('x')]) }
  expect(await client.uploadFile(upload)).toEqual({
    kind: 'refused',
    status: 507,
    message: '507 Insufficient Storage: The store is full',
  })
  expect(count).toBe(1)
})

test('a file that becomes unreadable ends its upload', async () => {
  let count = 0
  const client = await open((incoming) => {
    count++
    incoming.on('error', () => undefined).resume()
  })
  const upload = {
    name: NAME,
    bytes: 2,
    open: () =>
      Readable.from(
        (async function* read() {
          yield Buffer.from('x')
          await Promise.resolve()
          throw new UnreadableUpload('it was changed')
        })(),
      ),
  }
  await expect(client.uploadFile(upload)).rejects.toThrow(UnreadableUpload)
  expect(count).toBeLessThan(2)
})
