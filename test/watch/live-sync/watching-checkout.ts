// A checkout of an adversarial service that sends every change like a watch. Before a full run, another program runs.
import { KbError } from '../../../src/core/errors/kb-error.ts'
import { type Page, toFiles } from '../../support/history-pages.ts'
import { createLiveCheckout, type LiveCheckout } from '../../support/live-checkout.ts'
import type { StartCheckout } from '../../sync/adversarial-world.ts'

/** Numbers of runs of each kind. */
export interface Ways {
  edited: number
  all: number
}

export function createWatchingCheckout(ways: Ways): StartCheckout {
  return (service, onConflict) => {
    const checkout = createLiveCheckout(service, { 'content/.keep': '' }, { onConflict, yes: true })
    let written: ReadonlyMap<string, Page> = new Map()
    return {
      project: checkout,
      run: async (pages, { mishaps = [], verify = false, isLater = false, lots, visitor }) => {
        written = rewrite(checkout, written, pages)
        if (isLater) checkout.wait()
        const options = { prune: true, yes: true, verify, onConflict }
        if (verify) return checkout.meet(mishaps, options)
        const pause = async (path: string) => {
          visitor?.(path)
          if (lots !== undefined) await waitTurns(Math.floor(lots() * 4))
        }
        const result = await checkout.survive({ mishaps, pause, prune: true })
        const way = checkout.lastWay()
        if (way !== undefined) ways[way]++
        // It is quiet for a while, sometimes.
        if (mishaps.length % 2 === 1) await checkout.flush().catch(ignoreFailure)
        return result
      },
    }
  }
}

function rewrite(
  checkout: LiveCheckout,
  before: ReadonlyMap<string, Page>,
  pages: ReadonlyMap<string, Page>,
): ReadonlyMap<string, Page> {
  if (before === pages) return pages
  checkout.remove(...[...before.keys()].map((name) => `content/${name}`))
  checkout.write(toFiles(pages))
  return pages
}

function ignoreFailure(error: unknown): void {
  if (!(error instanceof KbError)) throw error
}

async function waitTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
