import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../src/api/contract/routes.ts'
import { listen } from '../../src/server/http/listen.ts'
import { openBrowser } from '../support/browser.ts'
import { API_KEY, openTestServer } from '../support/server.ts'

const docsFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

async function openDocs(): Promise<{ page: Page; url: string; complaints: string[] }> {
  const server = await openTestServer({ docsFolder })
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  const { url } = listening
  const page = await (await openBrowser()).newPage({ viewport: { width: 1200, height: 1600 } })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`))
  page.on('response', (response) => {
    if (!response.ok()) complaints.push(`${response.status()}: ${response.url()}`)
  })
  page.on('request', (request) => {
    const address = request.url()
    if (!address.startsWith(`${url}/`) && !address.startsWith('data:'))
      complaints.push(`elsewhere: ${address}`)
  })
  await page.goto(`${url}/api/v2/docs`)
  await page.locator('.opblock').first().waitFor()
  return { page, url, complaints }
}

test('the page shows every operation, and requests only this server', async () => {
  const { page, complaints } = await openDocs()
  const shown = await page.locator('.opblock').evaluateAll((blocks) =>
    blocks.map((block) =>
      ['.opblock-summary-method', '.opblock-summary-path']
        // Long paths contain soft breaks.
        .map((part) => block.querySelector(part)?.textContent.replaceAll('\u200B', ''))
        .join(' '),
    ),
  )
  expect(shown.toSorted()).toEqual(
    Object.values(routes)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  )
  expect(complaints).toEqual([])
})

test('with a key, operations can be tried out', async () => {
  const { page, complaints } = await openDocs()
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.locator('.auth-container input').fill(API_KEY)
  await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click()
  await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).click()
  const operation = page.locator('#operations-categories-listCategories')
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table')
  await answer.waitFor()
  expect(await answer.locator('.response-col_status').last().textContent()).toContain('200')
  expect(await answer.textContent()).toContain('Accounts')
  expect(complaints).toEqual([])
})

test('the files are cached permanently under a name that changes with them', async () => {
  const { app } = await openTestServer({ docsFolder })
  const page = await app.request('/api/v2/docs/')
  const files = [...(await page.text()).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)
  const answers = await Promise.all(
    files.map(async (path) => {
      const { status, headers } = await app.request(path)
      return [path.split('/').at(-1), status, headers.get('content-type'), headers.get('cache-control')]
    }),
  )
  const kept = 'public, max-age=31536000, immutable'
  expect(answers).toEqual([
    ['favicon-32x32.png', 200, 'image/png', kept],
    ['swagger-ui.css', 200, 'text/css; charset=utf-8', kept],
    ['swagger-ui-bundle.js', 200, 'text/javascript; charset=utf-8', kept],
    ['initialise.js', 200, 'text/javascript; charset=utf-8', kept],
  ])
  expect(page.headers.get('cache-control')).toBe('no-cache')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; ")
  const old = await app.request('/api/v2/docs/0000000000000000/swagger-ui.css')
  expect([old.status, await old.json()]).toEqual([
    404,
    { success: false, message: 'There is no such file of the documentation page' },
  ])
})

test('a server without the files says so', async () => {
  const { call } = await openTestServer({ docsFolder: '/nowhere' })
  expect(await call('GET', '/api/v2/docs')).toMatchObject({
    status: 404,
    body: { success: false, message: 'This server was built without its documentation page' },
  })
})
