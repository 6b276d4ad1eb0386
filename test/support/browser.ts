import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** For taking one picture of any page, in little memory: what a reader's browser has no use for. */
const UNWANTED = new Set([
  // With these, every page may read every other.
  '--disable-web-security',
  '--allow-running-insecure-content',
  // With these, all pages live and hang in one process, and the first that is closed takes the others along.
  '--single-process',
  '--no-zygote',
])

/** A real browser, gone when the test is over. It is unpacked once for each machine, from a package. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((arg) => !UNWANTED.has(arg)), '--no-sandbox'],
    headless: true,
  })
  onTestFinished(() => browser.close())
  return browser
}
