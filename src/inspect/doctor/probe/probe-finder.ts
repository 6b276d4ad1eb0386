import type { LenientReadArticle } from '../../../api/contract/lenient.ts'
import { PROBE_TITLE, probeTokenOf } from './probe-article.ts'
import type { ApiClient } from '../../../api/client/create-client.ts'
import type { RunDoctorOptions } from '../doctor-options.ts'

/** Maximum number of untitled articles that are read to find leftovers. */
const MOST_UNTITLED = 200

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1000
const LEAST_PATIENCE_MS = 30_000

export interface FoundProbe {
  readonly id: string
  readonly token: string
  readonly article: LenientReadArticle
}

/** Finds articles of probes in the target's lists. Reads each article at most once. */
export type ProbeFinder = ReturnType<typeof createProbeFinder>

export function createProbeFinder(context: ProbeContext) {
  const { client, sleep, settleMs } = context
  const seen = new Set<string>(context.knownIds)
  const found: FoundProbe[] = []
  const patienceMs = Math.max(3 * settleMs, LEAST_PATIENCE_MS)

  async function readAll(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      seen.add(id)
      const article = await client.readArticle(id)
      const token = article === undefined ? undefined : probeTokenOf(article)
      if (article !== undefined && token !== undefined) found.push({ id, token, article })
    }
  }

  /** Returns ids that were not seen before, of articles with the title of a probe and of untitled ones. */
  async function listUnseen(lists: 'all' | 'review-dates') {
    const [dated, linked] = await Promise.all([
      client.listReviewDates(),
      lists === 'all' ? client.listLinks() : { data: [] },
    ])
    const titles = new Map<string, string | undefined>()
    for (const { article_id: id, articles } of linked.data) titles.set(id, articles?.name)
    for (const { id, name } of dated.data) titles.set(id, name ?? titles.get(id))
    const unseen = [...titles].filter(([id]) => !seen.has(id))
    const idsWith = (wanted: string | undefined) =>
      unseen.flatMap(([id, title]) => (title === wanted ? [id] : []))
    return { titled: idsWith(PROBE_TITLE), untitled: idsWith(undefined) }
  }

  return {
    /** Finds articles of earlier probes. All other articles that are listed now are not checked again. */
    findLeftovers: async () => {
      const { titled, untitled } = await listUnseen('all')
      await readAll([...titled, ...untitled.slice(-MOST_UNTITLED)])
      for (const id of untitled) seen.add(id)
      return [...found]
    },
    /** All articles of probes found so far. */
    found: () => found,
    /**
     * Waits until the article with this token is listed, for a limited time. Reads the list of review dates first, on
     * which a sync depends.
     */
    waitFor: async (token: string, assertGoing: () => void) => {
      let waitedMs = 0
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
        const isLast = waitedMs >= patienceMs
        const { titled, untitled } = await listUnseen(isLast ? 'all' : 'review-dates')
        await readAll([...titled, ...untitled])
        const probe = found.find((each) => each.token === token)
        if (probe !== undefined || isLast) return probe
        assertGoing()
        await sleep(pauseMs)
        waitedMs += pauseMs
      }
    },
  }
}

export interface ProbeContext extends Pick<RunDoctorOptions, 'now' | 'sleep' | 'randomToken' | 'signal'> {
  /** Ignores the signal of the run, because created articles must always be removed. */
  readonly client: ApiClient
  readonly defaultLanguage: string
  /** The configured delay of the target's lists. */
  readonly settleMs: number
  /** Ids of articles in the state. None of them is from a probe. */
  readonly knownIds: ReadonlySet<string>
}
