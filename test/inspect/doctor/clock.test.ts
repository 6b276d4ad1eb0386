import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openClient } from '../../api/client/test-client.ts'

/** A service that responds with these Date headers, one after the other; '' omits the header. */
async function startClock(...dates: readonly string[]): Promise<string> {
  let answers = 0
  const server = createServer((_, outgoing) => {
    const date = dates[answers++] ?? ''
    outgoing.sendDate = false
    if (date !== '') outgoing.setHeader('date', date)
    outgoing.end(JSON.stringify({ success: true, data: [] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const NOW = Date.parse('2026-03-01T12:00:00Z')

test('the last Date header shows the difference of the clocks', async () => {
  const url = await startClock(
    'Sun, 01 Mar 2026 12:00:05 GMT',
    '',
    'nonsense',
    'Sun, 01 Mar 2026 11:00:00 GMT',
  )
  const client = openClient(url, { now: () => NOW })
  expect(client.clockOffsetMs()).toBeUndefined()
  const offsets: (number | undefined)[] = []
  for (let asked = 0; asked < 4; asked++) {
    await client.listCategories()
    offsets.push(client.clockOffsetMs())
  }
  expect(offsets).toEqual([5000, 5000, 5000, -3_600_000])
})
