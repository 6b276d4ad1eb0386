import type { Author, LogEntry } from './read-log.ts'

export interface AuthorTally {
  /** To be given the whole log, newest first. */
  readonly add: (entry: LogEntry) => void
  /** Who changed a file: most commits first, and among equals whoever did so last. */
  readonly authorsOf: (source: string) => readonly Author[]
}

/** Counts who changed each of `sources`. A moved file is followed to its former place, other changes or not. */
export function createAuthorTally(sources: Iterable<string>): AuthorTally {
  const tallies = new Map<string, Map<string, Tally>>()
  // Under which name each file goes at the point of the history that is being read.
  const names = new Map([...sources].map((source) => [source, source]))
  return {
    add: ({ author, changes }) => {
      for (const { source, from } of changes) {
        const wanted = names.get(source)
        if (wanted === undefined) continue
        count(tallies, wanted, author)
        if (from === undefined) continue
        names.delete(source)
        names.set(from, wanted)
      }
    },
    authorsOf: (source) => ranked(tallies.get(source)),
  }
}

interface Tally {
  readonly author: Author
  commits: number
}

/** Whoever comes first was the last to change the file. */
function count(tallies: Map<string, Map<string, Tally>>, file: string, author: Author): void {
  const authors = tallies.get(file) ?? new Map<string, Tally>()
  tallies.set(file, authors)
  const key = (author.email || author.name).toLowerCase()
  const tally = authors.get(key) ?? { author, commits: 0 }
  tally.commits++
  authors.set(key, tally)
}

function ranked(authors: ReadonlyMap<string, Tally> = new Map()): readonly Author[] {
  return [...authors.values()].toSorted((a, b) => b.commits - a.commits).map(({ author }) => author)
}
