import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright, type LaunchOptions } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'

/** For taking one picture of any page, in little memory: what a reader's browser has no use for. */
const UNWANTED = new Set([
  // With these, every page may read every other.
  '--disable-web-security',
  '--allow-running-insecure-content',
  // With these, all pages live and hang in one process, and the first that is closed takes the others along.
  '--single-process',
  '--no-zygote',
  // With these, a GPU is computed, which takes more of the processor than all that the tests do in their pages.
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
])

/** How a browser is started. It is unpacked once for each machine, from a package. */
export async function launchOptions(): Promise<LaunchOptions> {
  return {
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((arg) => !UNWANTED.has(arg)), '--no-sandbox', '--disable-gpu'],
    headless: true,
  }
}

/**
 * A real browser, gone with all its pages when the test is over: a connection of its own to the one of this run (see
 * browser-server.ts), or else a browser of its own.
 */
export async function openBrowser(): Promise<Browser> {
  const server = inject('browserServer')
  const browser =
    server === undefined ? await playwright.launch(await launchOptions()) : await playwright.connect(server)
  onTestFinished(() => browser.close())
  return browser
}
