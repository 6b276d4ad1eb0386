// Whatever is broken on the way: once it is fixed, the service holds what a first run sends of the same files.
import { posix } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { removeMarkers } from '../../src/core/model/marker.ts'
import { anyEdit, apply, type Edit, type Page, plainEdit, toFiles } from '../support/history-pages.ts'
import { createMemoryCheckout, writesTo } from '../support/memory-project.ts'
import { createMemoryService, type MemoryService } from '../support/memory-service.ts'
import type { Files } from '../support/project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import type { ServiceHabits } from '../support/strict-service.ts'

const RUNS = readRuns('HISTORIES', 3)

const chapterOf = (edit: fc.Arbitrary<Edit>) =>
  fc.record({
    edits: fc.array(edit, { maxLength: 8 }),
    broken: fc.array(fc.record({ page: fc.nat(9), way: fc.nat(2) }), { maxLength: 4 }),
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
  'articles that are held back on the way (%s)',
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
  for (const { edits, broken, losesState } of chapters) {
    const before = pages
    pages = edits.reduce(apply, pages)
    const files = toLinkedFiles(pages)
    const idsBefore = idsBySource(service, before)
    checkout.remove(...[...before.keys()].map((name) => `content/${name}`))
    checkout.write(breakSome(files, broken))
    if (losesState) checkout.forgetState()
    const { failure, heldBack = [] } = await checkout.sync({ onError: 'hold', prune: true, yes: true })
    expect(failure).toBeUndefined()
    const ids = new Set(service.articles().map(({ id }) => id))
    const heldIds = heldBack.flatMap((source) => idsBefore.get(source) ?? [])
    expect(heldIds.filter((id) => !ids.has(id))).toEqual([])
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

/** Each links to the next one. */
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
  const ways = [
    () => '---\ntitle: [\n---\n',
    (text: string) => text.replace(/^title: .*\n/m, ''),
    (text: string) => `${text}\n[nowhere](nowhere.md)\n`,
  ]
  const entries = broken.flatMap(({ page, way }) => {
    const name = names[page]
    const text = files[name ?? '']
    return name === undefined || typeof text !== 'string' ? [] : [[name, ways[way]?.(text) ?? text] as const]
  })
  return { ...files, ...Object.fromEntries(entries) }
}

/** Of articles that stand as their pages say. */
function idsBySource(service: MemoryService, pages: ReadonlyMap<string, Page>): Map<string, string> {
  return new Map(
    [...pages].flatMap(([name, { slug, language, title }]) => {
      const found = service
        .articles()
        .find((each) => each.slug === slug && each.language === language && each.title === title)
      return found === undefined ? [] : [[name, found.id] as const]
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
