import type { ApiClient } from '../../../api/client/create-client.ts'
import type { EntrySink } from '../../../api/client/stream-lists.ts'
import type { LocalArticle } from '../../../core/model/document.ts'
import type { ArticleRecord, TargetState } from '../../../core/model/target-state.ts'
import { entryOfRecord, type RemoteEntry } from '../../../sync/plan/remote-entry.ts'
import { readListed } from '../../../sync/remote/read-remote.ts'
import { appendAll } from '../../../core/append-all.ts'
import { type Identified, matchFiles } from './match-files.ts'

export interface IdentifyTask {
  readonly client: ApiClient
  /** One article for each file. */
  readonly wanted: readonly LocalArticle[]
  readonly state: TargetState
  readonly project: string
  readonly defaultLanguage: string
}

/** Maximum number of articles with other titles that are read: this many for each file, plus a constant. */
const OTHERS_PER_FILE = 1
const OTHERS_AT_LEAST = 100

export function identifyByState({ wanted, state }: Pick<IdentifyTask, 'wanted' | 'state'>): Identified {
  return { ...matchFiles(wanted, knownEntries(state, NONE)), isCut: false }
}

const NONE: ReadonlySet<string> = new Set()

/** Returns a test for listed articles that the state identifies. */
export function createIsRecognised(state: TargetState): (name: ListedName) => boolean {
  return createIsKnown(knownRecords(state, NONE), state, NONE)
}

/**
 * Searches for the articles of files that the state does not know, and for those whose file is gone: first among those
 * with the title of a file, then among others, by their markers. The number of reads depends only on the number of
 * files. Writes nothing, neither to the target nor here. Throws what the client throws.
 *
 * @param goneIds ids in the state that are gone from the target
 */
export async function searchArticles(
  task: IdentifyTask,
  goneIds: ReadonlySet<string> = NONE,
): Promise<Identified> {
  const { client, wanted } = task
  const search = createSearch(task, goneIds)
  const most = OTHERS_AT_LEAST + OTHERS_PER_FILE * wanted.length
  const dated = await client.streamReviewDates(
    () => search.gather(({ id, name }) => ({ id, title: name }), most),
    { needsList: true },
  )
  await search.read([...dated.titled, ...dated.others])
  const left = most - dated.others.length
  if (left === 0 && search.matched().missing.length === 0) return { ...search.matched(), isCut: true }
  const linked = await client.streamLinks(
    () => search.gather(({ article_id: id, articles }) => ({ id, title: articles?.name }), left),
    { needsList: true },
  )
  await search.read([...linked.titled, ...linked.others])
  return { ...search.matched(), isCut: dated.isCut || linked.isCut }
}

interface Search {
  /** Picks candidates for what is still missing from a list whose entries `toName` reads. */
  readonly gather: <Entry>(
    toName: (entry: Entry) => ListedName,
    mostOthers: number,
  ) => EntrySink<Entry, Candidates>
  /** Reads articles that were not read yet. */
  readonly read: (ids: readonly string[]) => Promise<void>
  readonly matched: () => ReturnType<typeof matchFiles>
}

function createSearch(task: IdentifyTask, goneIds: ReadonlySet<string>): Search {
  const known = knownEntries(task.state, goneIds)
  const isKnown = createIsKnown(known, task.state, goneIds)
  const seen = new Set<string>()
  const entries = [...known]
  let matched = matchFiles(task.wanted, entries)
  return {
    gather: (toName, mostOthers) => {
      const isSettled = (name: ListedName) => seen.has(name.id) || isKnown(name)
      const gathered = gatherCandidates(matched.missing, isSettled, mostOthers)
      return { add: (entry) => gathered.add(toName(entry)), end: () => gathered.end() }
    },
    read: async (ids) => {
      const unread = [...new Set(ids)].filter((id) => !seen.has(id))
      for (const id of unread) seen.add(id)
      appendAll(entries, await readListed(task.client, unread, task))
      matched = matchFiles(task.wanted, entries)
    },
    matched: () => matched,
  }
}

/** Some entries are matched only by their title, which is sufficient for a command that changes nothing. */
function knownEntries(state: TargetState, goneIds: ReadonlySet<string>): RemoteEntry[] {
  return knownRecords(state, goneIds).map(entryOfRecord)
}

function knownRecords({ articles, unfinished }: TargetState, goneIds: ReadonlySet<string>): ArticleRecord[] {
  return articles.filter(({ id }) => !goneIds.has(id) && !unfinished.deletedIds.has(id))
}

/** Creates a test for articles that need not be read: those that the state identifies, and those that are gone. */
function createIsKnown(
  known: readonly Pick<RemoteEntry, 'id'>[],
  { foreign }: TargetState,
  goneIds: ReadonlySet<string>,
): (name: ListedName) => boolean {
  const ids = new Set([...known.map(({ id }) => id), ...goneIds])
  const others = new Map(foreign.map(({ id, title }) => [id, title]))
  return ({ id, title }) => {
    if (ids.has(id)) return true
    const before = others.get(id)
    return before !== undefined && (title === undefined || title === before)
  }
}

/** An entry of a list of articles. */
interface ListedName {
  readonly id: string
  /** Undefined if the list does not state it. */
  readonly title: string | undefined
}

/** Articles that may belong to a file, by id. */
interface Candidates {
  /** Those with the title of one of the files. */
  readonly titled: readonly string[]
  readonly others: readonly string[]
  /** True if there were too many to read all of them. */
  readonly isCut: boolean
}

/** Number of articles with the same title that are checked in addition to one per file with that title. */
const NAMESAKES = 4

/**
 * Picks possible articles of `files`, or of files that are gone, from a list. The number of candidates depends only on
 * the number of files, whatever the length of the list.
 *
 * @param mostOthers maximum number of articles with other titles
 */
function gatherCandidates(
  files: readonly LocalArticle[],
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
