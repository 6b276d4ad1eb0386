// One Chromium for all browser tests of a run: starting one takes longer than most of these tests.
import { chromium as playwright } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { launchOptions } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of this run listens; absent where each test starts one of its own. */
    readonly browserServer?: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await playwright.launchServer(await launchOptions())
  project.provide('browserServer', server.wsEndpoint())
  return () => server.close()
}
