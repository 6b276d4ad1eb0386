// Whatever people do to their files, and whatever habits the service has: after every sync the service holds exactly
// the wanted articles, and the next run writes nothing. HISTORIES sets how many histories are tried (default 15).
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LenientReadArticle } from '../../src/contract/lenient.ts'
import { KbError } from '../../src/errors/kb-error.ts'
import { type Fault, type FaultProxy, refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import { article, type Files } from '../support/project.ts'
import {
  type DuplicateSlugs,
  type ServiceHabits,
  startStrictService,
  type StoredArticle,
} from '../support/strict-service.ts'
import { createSyncProject, type SyncProject } from '../support/sync-project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'

const RUNS = readRuns('HISTORIES', 15)
const PATIENCE = timeoutOf(RUNS, 5000)

const SLUGS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const LANGUAGES = [null, 'fr', 'de'] as const

interface Page {
  readonly title: string
  readonly slug: string
  readonly order: number
  readonly status: string
  readonly words: string
  readonly language: string | null
  /** Name of the file that it may be a translation of. */
  readonly of: string | undefined
}

const NEW_PAGE = { order: 0, status: 'draft', words: 'New words.', language: null, of: undefined }

type Edit =
  | { readonly kind: 'add'; readonly page: number; readonly slug: number; readonly title: number }
  | {
      readonly kind: 'words' | 'order' | 'status' | 'move' | 'delete'
      readonly page: number
      readonly value: number
    }
  | { readonly kind: 'slug'; readonly page: number; readonly slug: number }
  | { readonly kind: 'title'; readonly page: number; readonly title: number }
  | { readonly kind: 'language' | 'translates'; readonly page: number; readonly value: number }

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
const plainEdits: fc.WeightedArbitrary<Edit>[] = [
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), page, slug, title }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(['words', 'order', 'status', 'move', 'delete'] as const)),
      page,
      value: fc.nat(5),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('slug' as const), page, slug }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('title' as const), page, title }) },
]
const languageEdit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('language' as const, 'translates' as const),
  page,
  value: fc.nat(5),
})
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
function historyWith(accidents: fc.Arbitrary<Accident[]>, hasLanguages: boolean): fc.Arbitrary<Chapter[]> {
  const languageEdits = hasLanguages ? [{ weight: 5, arbitrary: languageEdit }] : []
  const edit = fc.oneof(...plainEdits, ...languageEdits)
  const edits = fc.array(edit, { maxLength: hasLanguages ? 9 : 6 })
  return fc.array(fc.record({ edits, losesState, accidents }), { minLength: 1, maxLength: 5 })
}

/** Pages by file name, after one edit; a slug that is taken in a language is swapped with its holder. */
function apply(pages: ReadonlyMap<string, Page>, change: Edit): Map<string, Page> {
  const next = new Map(pages)
  if (change.kind === 'add') {
    const free = SLUGS.filter((each) => ![...pages.values()].some((other) => other.slug === each))
    const chosen = free[change.slug % Math.max(1, free.length)]
    const name = `page-${change.page}.md`
    const added = { ...NEW_PAGE, title: `Title ${change.title}` }
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
    case 'status':
      return next.set(name, { ...old, status: change.value % 2 === 0 ? 'draft' : 'published' })
    case 'title':
      return next.set(name, { ...old, title: `Title ${change.title}` })
    case 'slug': {
      const wanted = SLUGS[change.slug] ?? ''
      const holder = findPage(pages, wanted, old.language)
      if (holder !== undefined) next.set(holder[0], { ...holder[1], slug: old.slug })
      return next.set(name, { ...old, slug: wanted })
    }
    case 'move': {
      const moved = `folder-${change.value}/${name.split('/').at(-1)}`
      if (pages.has(moved)) return next
      next.delete(name)
      for (const [other, each] of next) if (each.of === name) next.set(other, { ...each, of: moved })
      return next.set(moved, old)
    }
    case 'language': {
      const language = LANGUAGES[change.value % LANGUAGES.length] ?? null
      if (findPage(pages, old.slug, language) !== undefined) return next
      return next.set(name, { ...old, language })
    }
    case 'translates':
      return next.set(name, { ...old, of: [...pages.keys(), undefined][change.value % (pages.size + 1)] })
    case 'delete':
      // Without any article left, prune deletes nothing.
      if (pages.size > 1) next.delete(name)
      return next
  }
}

function findPage(pages: ReadonlyMap<string, Page>, at: string, language: string | null) {
  return [...pages].find(([, other]) => other.slug === at && other.language === language)
}

/** Which page is a translation of which, as files may say it: of one that is none, once into each language. */
function originalsOf(pages: ReadonlyMap<string, Page>): Map<string, string> {
  const originals = new Map<string, string>()
  const taken = new Set<string>()
  for (const [name, { of = '', language }] of pages) {
    const original = pages.get(of)
    const isChain = originals.has(of) || [...originals.values()].includes(name)
    if (original === undefined || original.language === language || isChain) continue
    if (taken.has(`${of} ${language}`)) continue
    taken.add(`${of} ${language}`)
    originals.set(name, of)
  }
  return originals
}

const MODES: readonly DuplicateSlugs[] = ['allowed', 'refused-409', 'refused-200', 'suffixed']
const HABITS: readonly (readonly [string, ServiceHabits])[] = MODES.flatMap((duplicateSlugs) =>
  [[], ['update'] as const, ['update', 'languages'] as const].map((extensions) => [
    `duplicates ${duplicateSlugs}, extensions: ${extensions.join(' ') || 'none'}`,
    { duplicateSlugs, extensions, languages: ['en', 'fr', 'de'] },
  ]),
)

const offers = ({ extensions = [] }: ServiceHabits, name: 'update' | 'languages') => extensions.includes(name)

test.each(HABITS)('every history ends in the wanted articles (%s)', PATIENCE, async (_, habits) => {
  expect.hasAssertions()
  const history = historyWith(fc.constant([]), offers(habits, 'languages'))
  const property = fc.asyncProperty(history, async (chapters) =>
    live(chapters, await startStrict(habits), offers(habits, 'update')),
  )
  await fc.assert(property, RUNS)
})

// Not where a taken slug is changed: a replace that stops half way leaves its new version at the changed slug.
test.each(HABITS.filter(([, { duplicateSlugs }]) => duplicateSlugs !== 'suffixed'))(
  'a run after one that met accidents puts all right (%s)',
  PATIENCE,
  async (_, habits) => {
    expect.hasAssertions()
    const history = historyWith(fc.array(accident, { maxLength: 3 }), offers(habits, 'languages'))
    const property = fc.asyncProperty(history, async (chapters) =>
      live(chapters, await startStrict(habits), offers(habits, 'update')),
    )
    await fc.assert(property, RUNS)
  },
)

test.each([0, 3])('on the built-in server (at most %i accidents in a run)', PATIENCE, async (maxLength) => {
  expect.hasAssertions()
  const history = historyWith(fc.array(accident, { maxLength }), true)
  const property = fc.asyncProperty(history, async (chapters) => live(chapters, await startBuiltin(), true))
  await fc.assert(property, RUNS)
})

/** A service whose articles can be looked at, and which can be stopped. */
interface LiveService {
  readonly url: string
  readonly articles: () => Promise<readonly HeldArticle[]>
  readonly close: () => Promise<void>
}

async function startStrict(habits: ServiceHabits): Promise<LiveService> {
  const { url, articles } = await startStrictService(habits)
  const held = () => Promise.resolve(articles().map(toHeld))
  return { url, articles: held, close: () => Promise.resolve() }
}

async function startBuiltin(): Promise<LiveService> {
  const { url, articles, close } = await startBuiltinService()
  return { url, articles: async () => (await articles()).map(toHeldFromWire), close }
}

async function live(
  chapters: readonly Chapter[],
  service: LiveService,
  offersUpdate: boolean,
): Promise<void> {
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
      const { replaced, ...end } = await outcome(project)
      expect(end).toEqual({ isClean: true })
      if (offersUpdate) expect(replaced).toBe(0)
      expect(asPages(await service.articles())).toEqual(asWanted(pages))
      const seen = proxy.seen.length
      expect(await outcome(project)).toEqual({ isClean: true, replaced: 0 })
      expect(proxy.seen.slice(seen).filter(({ method }) => method !== 'GET')).toEqual([])
    }
  } finally {
    await proxy.close()
    await service.close()
  }
}

function toFiles(pages: ReadonlyMap<string, Page>): Files {
  const originals = originalsOf(pages)
  return Object.fromEntries(
    [...pages].map(([name, { title: heading, slug: at, order, status, words, language }]) => {
      const fields = { slug: at, order, status, language: language ?? undefined }
      return [
        `content/${name}`,
        article(heading, { ...fields, translationOf: originals.get(name), body: words }),
      ]
    }),
  )
}

/** Syncs; whether nothing is left open, or what is. */
async function outcome(project: SyncProject) {
  const result = await project.sync({ prune: true, yes: true })
  const { operations, failure, guard, diagnostics, orphans, summary } = result
  const open = operations.filter(({ outcome: end }) => end !== 'done')
  const left = [...open, ...diagnostics, ...orphans, failure, guard].filter((each) => each !== undefined)
  return left.length === 0 ? { isClean: true, replaced: summary.replaced } : { left }
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

/** What the service is to hold, each article with the address of its original. */
function asWanted(pages: ReadonlyMap<string, Page>): object[] {
  const originals = originalsOf(pages)
  return [...pages]
    .map(([name, each]) => {
      const { of: _, ...fields } = each
      const original = pages.get(originals.get(name) ?? '')
      return { ...fields, original: original === undefined ? undefined : addressOf(original) }
    })
    .toSorted(byAddress)
}

interface HeldArticle extends Omit<Page, 'of'> {
  readonly id: string
  readonly originalId: string
}

/** What the service holds, in the same words. */
function asPages(articles: readonly HeldArticle[]): object[] {
  const byId = new Map(articles.map((each) => [each.id, each]))
  return articles
    .map((each) => {
      const { id: _, originalId, ...fields } = each
      const original = byId.get(originalId)
      return { ...fields, original: original === undefined ? undefined : addressOf(original) }
    })
    .toSorted(byAddress)
}

function toHeld({ languageParent, content, ...stored }: StoredArticle): HeldArticle {
  const { id, title: name, slug: at, order, status, language } = stored
  return {
    id,
    title: name,
    slug: at,
    order,
    status,
    language,
    words: wordsOf(content),
    originalId: languageParent,
  }
}

function toHeldFromWire(data: LenientReadArticle['data']): HeldArticle {
  return {
    id: data.id,
    title: data.name ?? '',
    slug: data.slug ?? '',
    order: data.order_by ?? 0,
    status: data.status ?? '',
    language: data.language ?? null,
    words: wordsOf(data.content ?? ''),
    originalId: data.language_parent ?? '',
  }
}

const wordsOf = (content: string) => content.replaceAll(/<[^>]*>/g, '').trim()

const addressOf = ({ slug: at, language }: Pick<Page, 'slug' | 'language'>) => `${at} ${language ?? ''}`

const byAddress = (a: Pick<Page, 'slug' | 'language'>, b: Pick<Page, 'slug' | 'language'>) =>
  addressOf(a) < addressOf(b) ? -1 : 1
