import type { LinkDisagreement } from '../../../web/report/report.ts'

/** What is known on this side of an address that the target lists. */
export type LocalVerdict = Pick<LinkDisagreement, 'localSays' | 'reason'>

/** Undefined where nothing can be said. */
export type LocalCheck = (url: string) => LocalVerdict | undefined

/** The first that has something to say. */
export function firstVerdict(...checks: readonly LocalCheck[]): LocalCheck {
  return (url) => {
    for (const check of checks) {
      const verdict = check(url)
      if (verdict !== undefined) return verdict
    }
    return undefined
  }
}
