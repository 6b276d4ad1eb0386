// Writes that are under way when a server is killed, and what may be found of them afterwards.
import { API_KEY, type KillableServer } from './killable-server.ts'

/** One version of an article, whole. */
export interface Version {
  readonly name: string
  readonly slug: string
  readonly content: string
  readonly order: number
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  readonly links: readonly string[]
}

/** Versions of one article that may be found; undefined: it may be missing. The first is what was acknowledged. */
export type Possible = readonly (Version | undefined)[]

/** By slug. */
export type Ledger = Map<string, Possible>

export interface LoadOptions {
  readonly server: KillableServer
  readonly ledger: Ledger
  /** Ids of the articles that are there, by slug: a create tells none. */
  readonly ids: ReadonlyMap<string, string>
  /** Between 0 and 1, a new one at each call. */
  readonly random: () => number
  /** Told of every write when it leaves and when its acknowledgement is there. */
  readonly onEvent: (event: 'sent' | 'acknowledged') => void
  /** Keeps the slugs of this load apart from those of others. */
  readonly round: number
}

const WORKERS = 8
const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }

/** Writes without end, several at a time, until the server is gone. */
export async function writeUntilGone(options: LoadOptions): Promise<void> {
  const slugs = [...options.ids.keys()]
  const workers = Array.from({ length: WORKERS }, (_, worker) =>
    work(
      options,
      worker,
      slugs.filter((_slug, index) => index % WORKERS === worker),
    ),
  )
  await Promise.all(workers)
}

async function work(options: LoadOptions, worker: number, own: string[]): Promise<void> {
  const { random, round, ids, ledger } = options
  for (let count = 0; ; count++) {
    const chance = random()
    const present = own[Math.floor(random() * own.length)]
    let isGone: boolean
    if (present === undefined || chance < 0.5) {
      const slug = `r${round}-w${worker}-n${count}`
      isGone = await write(options, slug, 'PUT', '', versionOf(options, slug))
    } else if (chance < 0.8) {
      isGone = await write(options, present, 'POST', `/${ids.get(present)}`, versionOf(options, present))
    } else {
      own.splice(own.indexOf(present), 1)
      isGone = await write(options, present, 'DELETE', `/${ids.get(present)}`, undefined)
    }
    if (isGone) return
    if (ledger.size > 100_000) throw new Error('The server was not killed')
  }
}

function versionOf({ server, random }: LoadOptions, slug: string): Version {
  const links = Array.from(
    { length: Math.floor(random() * 40) },
    (_, n) => `https://example.com/${slug}/${n}`,
  )
  // Now and then a long one, so that the log is folded into the database while we write.
  const filler = 'x'.repeat(Math.floor(random() ** 6 * 400_000))
  return {
    name: `${slug} ${random()}`,
    slug,
    content: `${links.map((url) => `<a href="${url}">x</a>`).join('')}${filler}`,
    order: random(),
    categories: server.categories.filter(() => random() < 0.7),
    tags: server.tags.filter(() => random() < 0.5),
    links,
  }
}

/** Whether the server was gone before it acknowledged. */
async function write(
  { server, ledger, onEvent }: LoadOptions,
  slug: string,
  method: string,
  path: string,
  wanted: Version | undefined,
): Promise<boolean> {
  const [before] = ledger.get(slug) ?? []
  ledger.set(slug, [before, wanted])
  const sending = fetch(`${server.url}/api/v2/articles${path}`, {
    method,
    headers: HEADERS,
    ...(wanted !== undefined && { body: bodyOf(wanted) }),
  })
  onEvent('sent')
  const answer = await sending.then((response) => response.json()).catch(() => undefined)
  if (answer === undefined) return true
  if (!(answer as { success: boolean }).success) throw new Error(JSON.stringify(answer))
  ledger.set(slug, [wanted])
  onEvent('acknowledged')
  return false
}

function bodyOf({ name, slug, content, order, categories, tags }: Version): string {
  return JSON.stringify({
    title: name,
    slug,
    content,
    ordering: order,
    categories: categories.map((value) => ({ value })),
    tags: tags.map((value) => ({ value })),
    excerpt: '',
    status: 'published',
    articleReviewDate: '2027-01-31',
  })
}

/** Every article that the server has, whole, with its id. */
export async function readVersions({
  url,
}: KillableServer): Promise<Map<string, { id: string; version: Version }>> {
  const get = async (path: string) => (await fetch(`${url}/api/v2/${path}`, { headers: HEADERS })).json()
  const { data } = (await get('tools/review_dates')) as { data: { id: string }[] }
  const links = (await get('tools/link_manager')) as { data: { article_id: string; url: string }[] }
  const found = new Map<string, { id: string; version: Version }>()
  for (const { id } of data) {
    const answer = (await get(`articles/${id}`)) as ArticleAnswer
    const { name, slug, content, order_by: order } = answer.data
    const version = {
      name,
      slug,
      content,
      order,
      categories: answer.categories.map(({ value }) => value).toSorted(),
      tags: answer.tags.map(({ value }) => value).toSorted(),
      links: links.data.filter((link) => link.article_id === id).map((link) => link.url),
    }
    found.set(slug, { id, version })
  }
  return found
}

interface ArticleAnswer {
  readonly data: {
    readonly name: string
    readonly slug: string
    readonly content: string
    readonly order_by: number
  }
  readonly categories: readonly { readonly value: string }[]
  readonly tags: readonly { readonly value: string }[]
}
