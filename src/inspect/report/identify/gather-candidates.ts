import type { EntrySink } from '../../../api/client/entry-receiver.ts'
import type { DesiredArticle } from '../../../core/model/document.ts'

/** An article that a list names. */
export interface ListedName {
  readonly id: string
  /** Undefined where the list does not say. */
  readonly title: string | undefined
}

/** Articles that may belong to a file, by id. */
export interface Candidates {
  /** Those with the title of one of the files. */
  readonly titled: readonly string[]
  readonly others: readonly string[]
  /** Whether there were more of them than are worth reading. */
  readonly isCut: boolean
}

/** Articles with one title that are looked at beyond one for each file that has it. */
const NAMESAKES = 4

/**
 * Picks from a list what may be the article of one of `files`, or of a file that is gone. What it keeps depends on their
 * number alone, however long the list is.
 *
 * @param mostOthers articles with other titles that are kept
 */
export function gatherCandidates(
  files: readonly DesiredArticle[],
  isKnown: (name: ListedName) => boolean,
  mostOthers: number,
): EntrySink<ListedName, Candidates> {
  const room = new Map<string, number>()
  for (const { title } of files) room.set(title, (room.get(title) ?? NAMESAKES) + 1)
  const titled = new Set<string>()
  const others = new Set<string>()
  let isCut = false
  return {
    add: (name) => {
      const { id, title } = name
      if (titled.has(id) || others.has(id) || isKnown(name)) return
      const left = title === undefined ? undefined : room.get(title)
      if (title !== undefined && left !== undefined && left > 0) {
        room.set(title, left - 1)
        titled.add(id)
      } else if (left === undefined && others.size < mostOthers) others.add(id)
      else isCut = true
    },
    end: () => ({ titled: [...titled], others: [...others], isCut }),
  }
}
