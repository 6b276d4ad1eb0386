// Whatever people do to their files, and whatever habits the service has: after every sync the service holds exactly
// the wanted articles, and the next run writes nothing. HISTORIES sets how many histories are tried (default 15).
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KbError } from '../../src/errors/kb-error.ts'
import { type Fault, type FaultProxy, refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { article, type Files } from '../support/project.ts'
import { type DuplicateSlugs, type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, type SyncProject } from '../support/sync-project.ts'

const RUNS = Number(process.env['HISTORIES'] ?? '15')

const SLUGS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

interface Page {
  readonly title: string
  readonly slug: string
  readonly order: number
  readonly words: string
}

type Edit =
  | { readonly kind: 'add'; readonly page: number; readonly slug: number; readonly title: number }
  | { readonly kind: 'words' | 'order' | 'move' | 'delete'; readonly page: number; readonly value: number }
  | { readonly kind: 'slug'; readonly page: number; readonly slug: number }
  | { readonly kind: 'title'; readonly page: number; readonly title: number }

/** What happens to one request of a run. */
interface Accident {
  /** How many requests of the run come before it. */
  readonly after: number
  readonly fault: Fault
}

/** Edits, then a sync; before it, the state may get lost, and a sync that meets accidents may come first. */
interface Chapter {
  readonly edits: readonly Edit[]
  readonly losesState: boolean
  readonly accidents: readonly Accident[]
}

const page = fc.nat(9)
const slug = fc.nat(SLUGS.length - 1)
const title = fc.nat(2)
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), page, slug, title }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('words' as const, 'order' as const, 'move' as const, 'delete' as const),
      page,
      value: fc.nat(5),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('slug' as const), page, slug }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('title' as const), page, title }) },
)
const accident: fc.Arbitrary<Accident> = fc.record({
  after: fc.nat(20),
  fault: fc.constantFrom<Fault[]>(
    { kind: 'cut-before' },
    { kind: 'cut-after' },
    { kind: 'cut-within' },
    refusal(500, 'Out of order'),
    refusal(400, 'Refused for no reason'),
  ),
})
const losesState = fc.oneof(
  { weight: 3, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
)
const historyWith = (accidents: fc.Arbitrary<Accident[]>): fc.Arbitrary<Chapter[]> =>
  fc.array(fc.record({ edits: fc.array(edit, { maxLength: 6 }), losesState, accidents }), {
    minLength: 1,
    maxLength: 5,
  })

/** Pages by file name, after one edit; a slug that is taken is swapped with its holder. */
function apply(pages: ReadonlyMap<string, Page>, change: Edit): Map<string, Page> {
  const next = new Map(pages)
  if (change.kind === 'add') {
    const free = SLUGS.filter((each) => ![...pages.values()].some((other) => other.slug === each))
    const chosen = free[change.slug % Math.max(1, free.length)]
    const name = `page-${change.page}.md`
    const added = { title: `Title ${change.title}`, order: 0, words: 'New words.' }
    if (chosen !== undefined && !pages.has(name)) next.set(name, { ...added, slug: chosen })
    return next
  }
  const entry = [...pages][change.page % Math.max(1, pages.size)]
  if (entry === undefined) return next
  const [name, old] = entry
  switch (change.kind) {
    case 'words':
      return next.set(name, { ...old, words: `Words number ${change.value}.` })
    case 'order':
      return next.set(name, { ...old, order: change.value })
    case 'title':
      return next.set(name, { ...old, title: `Title ${change.title}` })
    case 'slug': {
      const wanted = SLUGS[change.slug] ?? ''
      const holder = [...pages].find(([, other]) => other.slug === wanted)
      if (holder !== undefined) next.set(holder[0], { ...holder[1], slug: old.slug })
      return next.set(name, { ...old, slug: wanted })
    }
    case 'move': {
      const moved = `folder-${change.value}/${name.split('/').at(-1)}`
      if (pages.has(moved)) return next
      next.delete(name)
      return next.set(moved, old)
    }
    case 'delete':
      // Without any article left, prune deletes nothing.
      if (pages.size > 1) next.delete(name)
      return next
  }
}

const MODES: readonly DuplicateSlugs[] = ['allowed', 'refused-409', 'refused-200', 'suffixed']

test.each(MODES)('every history ends in the wanted articles (duplicates %s)', async (duplicateSlugs) => {
  expect.hasAssertions()
  const history = historyWith(fc.constant([]))
  const property = fc.asyncProperty(history, (chapters) => live(chapters, { duplicateSlugs }))
  await fc.assert(property, { numRuns: RUNS })
})

// Not where a taken slug is changed: a replace that stops half way leaves its new version at the changed slug.
test.each(MODES.filter((mode) => mode !== 'suffixed'))(
  'a run after one that met accidents puts all right (duplicates %s)',
  async (duplicateSlugs) => {
    expect.hasAssertions()
    const history = historyWith(fc.array(accident, { maxLength: 3 }))
    const property = fc.asyncProperty(history, (chapters) => live(chapters, { duplicateSlugs }))
    await fc.assert(property, { numRuns: RUNS })
  },
)

async function live(chapters: readonly Chapter[], habits: ServiceHabits): Promise<void> {
  const service = await startStrictService(habits)
  const proxy = await startFaultProxy(service.url)
  try {
    const project = createSyncProject(proxy.url, { 'content/.keep': '' })
    let pages: ReadonlyMap<string, Page> = new Map()
    for (const { edits, losesState: forgets, accidents } of chapters) {
      const before = pages
      pages = edits.reduce(apply, pages)
      project.remove(...[...before.keys()].map((name) => `content/${name}`))
      project.write(toFiles(pages))
      if (accidents.length > 0) await syncWithAccidents(project, proxy, accidents)
      // After an accident only state tells that an article at an old slug is ours to remove.
      else if (forgets) project.forgetState()
      expect(await outcome(project)).toEqual({ isClean: true })
      expect(held(service.articles())).toEqual([...pages.values()].toSorted(bySlug))
      service.forget()
      expect(await outcome(project)).toEqual({ isClean: true })
      expect(service.requests.filter((request) => !request.startsWith('GET '))).toEqual([])
    }
  } finally {
    await proxy.close()
  }
}

function toFiles(pages: ReadonlyMap<string, Page>): Files {
  return Object.fromEntries(
    [...pages].map(([name, { words, ...fields }]) => [
      `content/${name}`,
      article(fields.title, { ...fields, body: words }),
    ]),
  )
}

/** Syncs; whether nothing is left open, or what is. */
async function outcome(project: SyncProject) {
  const { operations, failure, guard, diagnostics, orphans } = await project.sync({ prune: true, yes: true })
  const open = operations.filter(({ outcome: end }) => end !== 'done')
  const left = [...open, ...diagnostics, ...orphans, failure, guard].filter((each) => each !== undefined)
  return left.length === 0 ? { isClean: true } : { left }
}

async function syncWithAccidents(
  project: SyncProject,
  proxy: FaultProxy,
  accidents: readonly Accident[],
): Promise<void> {
  const first = proxy.seen.length
  for (const { after, fault } of accidents)
    proxy.inject(fault, { matches: () => proxy.seen.length >= first + after })
  await project.sync({ prune: true, yes: true }).catch((error: unknown) => {
    if (!(error instanceof KbError)) throw error
  })
  proxy.clear()
}

/** The service's articles as pages, by slug. */
function held(articles: ReturnType<Awaited<ReturnType<typeof startStrictService>>['articles']>): Page[] {
  return articles
    .map(({ title: name, slug: at, order, content }) => ({
      title: name,
      slug: at,
      order,
      words: content.replaceAll(/<[^>]*>/g, '').trim(),
    }))
    .toSorted(bySlug)
}

const bySlug = (a: Page, b: Page) => (a.slug < b.slug ? -1 : 1)
