import { drawLots } from './draw-lots.ts'
import type { ListLag } from './strict-service-quirks.ts'
import type { StoredArticle } from './strict-service-memory.ts'

export interface LaggingList {
  /** Articles as the list shows them: as they were some requests ago. */
  readonly show: () => readonly StoredArticle[]
  /** From now on it shows all that has happened until now. */
  readonly catchUp: () => void
}

export function createLaggingList(lag: ListLag, present: () => readonly StoredArticle[]): LaggingList {
  const shown: (readonly StoredArticle[])[] = []
  let first = 0
  const { upTo, seed } = typeof lag === 'number' ? { upTo: lag, seed: undefined } : lag
  const draw = seed === undefined ? () => upTo : scaled(drawLots(seed), upTo)
  return {
    show: () => {
      shown.push(present())
      const index = Math.max(first, shown.length - 1 - draw())
      return shown[index] ?? []
    },
    catchUp: () => {
      shown.push(present())
      first = shown.length - 1
    },
  }
}

function scaled(lots: () => number, upTo: number): () => number {
  return () => Math.floor(lots() * (upTo + 1))
}
