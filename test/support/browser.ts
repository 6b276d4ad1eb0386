import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Made for taking pictures of any page: with them, every page may read every other. */
const UNSAFE = new Set(['--disable-web-security', '--allow-running-insecure-content'])

/** A real browser, gone when the test is over. It is unpacked once for each machine, from a package. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((arg) => !UNSAFE.has(arg)), '--no-sandbox'],
    headless: true,
  })
  onTestFinished(() => browser.close())
  return browser
}
