import type { Browser, Page } from 'playwright-core'
import { tellIfFailed } from './tell-if-failed.ts'

/** Where two bundlers and a browser share a core, a page may follow late. A test that waits in vain still ends before its own limit. */
const PATIENCE_MS = 120_000

/** A page of a site that is being written: what it heard from its server is shown if the test fails. */
export async function openSitePage(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const heard: string[] = []
  page.on('console', (message) => heard.push(message.text()))
  page.on('pageerror', (error) => heard.push(String(error)))
  page.on('framenavigated', (frame) => heard.push(`-> ${frame.url()}`))
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => heard.push(`<- ${String(payload).slice(0, 400)}`))
    socket.on('close', () => heard.push('<- closed'))
  })
  tellIfFailed('A page heard', () => heard.join('\n'))
  return page
}
