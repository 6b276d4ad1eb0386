import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

/** Nothing is told of the rules that are kept, and no selectors are made up for elements. */
const BRIEFLY = { resultTypes: ['violations'], selectors: false }

/**
 * What keeps people from using a page, as axe-core finds it: rule and element of each.
 *
 * @param runOnly these rules; default: all
 */
export async function findBarriers(page: Page, runOnly?: readonly string[]): Promise<readonly string[]> {
  // In the page, a script element of ours would be against its policy.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const options = JSON.stringify({ ...BRIEFLY, runOnly })
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as Found
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  )
}
