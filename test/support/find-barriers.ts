import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/** What keeps people from using a page, as axe-core finds it: rule and element of each. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // In the page, a script element of ours would be against its policy.
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as Found
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  )
}
