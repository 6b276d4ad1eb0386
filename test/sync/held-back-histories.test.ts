// Whatever errors occur in between: once they are fixed, the service has what a first run would send.
import { posix } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { documentKey } from '../../src/core/model/document.ts'
import { readMarker, removeMarkers } from '../../src/core/model/marker.ts'
import { anyEdit, apply, type Edit, type Page, plainEdit, toFiles } from '../support/history-pages.ts'
import { createMemoryCheckout, type MemoryCheckout, writesTo } from '../support/memory-project.ts'
import { createMemoryService, type MemoryService } from '../support/memory-service.ts'
import type { Files } from '../support/project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import type { ServiceHabits, StoredArticle } from '../support/strict-service.ts'

const RUNS = readRuns('HISTORIES', 3)

/** The slug of a file that is held back. */
const BROKEN_SLUG = 'broken'

const nowhere = (text: string) => `${text}\n[nowhere](nowhere.md)\n`
const another = (text: string, key: string, value: string) =>
  text.replace(new RegExp(`^${key}: .*\n`, 'm'), '').replace('\n---\n', `\n${key}: ${value}\n---\n`)

/** Breaks a file, often together with another change that must not be sent. */
const WAYS: readonly ((text: string) => string)[] = [
  () => '---\ntitle: [\n---\n',
  (text) => text.replace(/^title: .*\n/m, ''),
  nowhere,
  (text) => nowhere(another(text, 'slug', BROKEN_SLUG)),
  (text) => nowhere(another(text, 'status', 'published')),
  (text) => nowhere(another(text, 'language', 'de')),
  (text) => another(text, 'categories', '[Nowhere]'),
]

const chapterOf = (edit: fc.Arbitrary<Edit>) =>
  fc.record({
    edits: fc.array(edit, { maxLength: 8 }),
    broken: fc.array(fc.record({ page: fc.nat(9), way: fc.nat(WAYS.length - 1) }), { maxLength: 4 }),
    prune: fc.boolean(),
    /** Pages to sync first. */
    paths: fc.oneof(fc.constant<number[]>([]), fc.uniqueArray(fc.nat(9), { maxLength: 3 })),
    losesState: fc.oneof(
      { weight: 4, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  })

type Chapter = ReturnType<typeof chapterOf> extends fc.Arbitrary<infer Value> ? Value : never

const LANGUAGES = { extensions: ['update', 'languages'], languages: ['en', 'fr', 'de'] } as const
const HABITS: readonly (readonly [string, ServiceHabits, fc.Arbitrary<Edit>])[] = [
  ['with languages', LANGUAGES, anyEdit],
  ['with languages, duplicates refused', { ...LANGUAGES, duplicateSlugs: 'refused-409' }, anyEdit],
  ['without extensions', {}, plainEdit],
  ['without extensions, duplicates refused', { duplicateSlugs: 'refused-409' }, plainEdit],
]

test.each(HABITS)(
  'articles that are held back in between (%s)',
  timeoutOf(RUNS, 4000),
  async (_, habits, edit) => {
    expect.hasAssertions()
    const history = fc.array(chapterOf(edit), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(history, (chapters) => live(chapters, habits)),
      RUNS,
    )
  },
)

async function live(chapters: readonly Chapter[], habits: ServiceHabits): Promise<void> {
  const service = createMemoryService(habits)
  const checkout = createMemoryCheckout(service, { 'content/.keep': '' })
  let pages: ReadonlyMap<string, Page> = new Map()
  /** Only the state knows where an article that is held back was sent. */
  let hasState = true
  for (const { edits, broken, prune, paths, losesState } of chapters) {
    const before = pages
    pages = edits.reduce(apply, pages)
    const files = toLinkedFiles(pages)
    const idsBefore = idsBySource(service, before, pages)
    checkout.remove(...[...before.keys()].map((name) => `content/${name}`))
    checkout.write(breakSome(files, broken))
    if (losesState) checkout.forgetState()
    const names = [...pages.keys()]
    const sources = paths.flatMap((page) => names[page] ?? [])
    if (sources.length > 0) await syncPaths(checkout, sources)
    const { failure, heldBack = [] } = await checkout.sync({ onError: 'hold', prune, yes: true })
    expect(failure).toBeUndefined()
    const ids = new Set(service.articles().map(({ id }) => id))
    const heldIds = heldBack.flatMap((source) => idsBefore.get(source) ?? [])
    expect(heldIds.filter((id) => !ids.has(id))).toEqual([])
    hasState &&= !losesState && heldBack.every((source) => idsBefore.has(source))
    if (hasState) expect(service.articles().filter(linksToBroken)).toEqual([])
    service.catchUp()
    checkout.wait()
  }
  checkout.write(toLinkedFiles(pages))
  const { operations, diagnostics } = await checkout.sync({ prune: true, yes: true })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  expect([operations.filter(({ outcome }) => outcome !== 'done'), errors]).toEqual([[], []])
  expect(held(service)).toEqual(await sentFirst(pages, habits))
  service.catchUp()
  checkout.wait()
  service.forget()
  await checkout.sync({ prune: true, yes: true })
  expect(writesTo(service)).toEqual([])
}

/** Errors in other files neither stop such a run nor are shown. */
async function syncPaths(checkout: MemoryCheckout, sources: readonly string[]): Promise<void> {
  const isSelected = (source: string) => sources.includes(source)
  const { failure, operations } = await checkout.sync({ sources, isSelected })
  expect(failure).toBeUndefined()
  expect(operations.filter(({ source = '' }) => source !== '' && !isSelected(source))).toEqual([])
  checkout.wait()
}

/** A link to an article that is held back leads to the version that was sent. */
function linksToBroken({ content }: Pick<StoredArticle, 'content'>): boolean {
  return content.includes(`/articles/${BROKEN_SLUG}"`)
}

/** Files that each link to the next one. */
function toLinkedFiles(pages: ReadonlyMap<string, Page>): Files {
  const names = [...pages.keys()]
  const next = (name: string) => names[(names.indexOf(name) + 1) % names.length] ?? name
  return toFiles(
    new Map(
      [...pages].map(([name, page]) => {
        const link = posix.relative(posix.dirname(name), next(name))
        return [name, { ...page, words: `${page.words} [Next](${link})` }]
      }),
    ),
  )
}

function breakSome(files: Files, broken: Chapter['broken']): Files {
  const names = Object.keys(files)
  const entries = broken.flatMap(({ page, way }) => {
    const name = names[page]
    const text = files[name ?? '']
    return name === undefined || typeof text !== 'string' ? [] : [[name, WAYS[way]?.(text) ?? text] as const]
  })
  return { ...files, ...Object.fromEntries(entries) }
}

/**
 * Ids of articles that match their pages. If a file was moved and there is another one at its old path, that one has
 * the article.
 */
function idsBySource(
  service: MemoryService,
  pages: ReadonlyMap<string, Page>,
  now: ReadonlyMap<string, Page>,
): Map<string, string> {
  const ownerOf = new Map(
    [...now.keys()].flatMap((name) =>
      [null, 'fr', 'de'].map((language) => [documentKey(name, language), name] as const),
    ),
  )
  return new Map(
    [...pages].flatMap(([name, { slug, language, title }]) => {
      const found = service
        .articles()
        .find((each) => each.slug === slug && each.language === language && each.title === title)
      const owner = ownerOf.get(readMarker(found?.content ?? '')?.documentKey ?? '') ?? name
      return found === undefined || owner !== name ? [] : [[name, found.id] as const]
    }),
  )
}

function held(service: MemoryService): object[] {
  const articles = service.articles()
  const address = (id: string | null) => {
    const found = articles.find((each) => each.id === id)
    return found === undefined ? undefined : `${found.language} ${found.slug}`
  }
  return articles
    .map(({ slug, title, language, order, status, content, languageParent }) => ({
      address: `${language} ${slug}`,
      said: [title, order, status, removeMarkers(content)],
      original: address(languageParent),
    }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
}

async function sentFirst(pages: ReadonlyMap<string, Page>, habits: ServiceHabits): Promise<object[]> {
  const service = createMemoryService(habits)
  await createMemoryCheckout(service, { 'content/.keep': '', ...toLinkedFiles(pages) }).sync()
  return held(service)
}
