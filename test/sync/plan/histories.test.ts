// The main property of the planner: after a plan was applied, the next plan is empty, whatever happened before.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CONFLICT_REASONS,
  type ArticleWrite,
  type Operation,
  effectOf,
  isArticleWrite,
} from '../../../src/core/model/plan.ts'
import { slugKey } from '../../../src/core/model/slug-key.ts'
import { matchArticles } from '../../../src/sync/plan/match-articles.ts'
import {
  ALL_CAPABILITIES,
  NO_CAPABILITIES,
  type TargetCapabilities,
} from '../../../src/sync/plan/target-capabilities.ts'
import { createNeedsAmong, orderWrites } from '../../../src/sync/plan/order-writes.ts'
import {
  type ResolvedArticle,
  relateTranslations,
  withOriginal,
} from '../../../src/sync/plan/resolved-article.ts'
import { planArticles } from '../../../src/sync/plan/plan-articles.ts'
import type { RemoteEntry } from '../../../src/sync/plan/remote-entry.ts'
import { foreign, sent, wanted } from './examples.ts'
import { readRuns } from '../../support/runs.ts'

const RUNS = readRuns('HISTORIES', 200)

interface Content {
  readonly source: string
  readonly slug: string
  readonly text: string
  readonly language: string | null
  /** Source of the original. */
  readonly original: string | undefined
}

const SOURCES = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md']

/** Valid content: slugs are unique in a language. */
function contentIn(languages: readonly (string | null)[]): fc.Arbitrary<Content[]> {
  const article = fc.record({
    source: fc.constantFrom(...SOURCES),
    slug: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'taken'),
    text: fc.constantFrom('one', 'two'),
    language: fc.constantFrom(...languages),
    original: fc.option(fc.constantFrom(...SOURCES), { nil: undefined }),
  })
  return fc.array(article, { maxLength: 5 }).map((articles) => {
    const some = uniqueBy(
      uniqueBy(articles, ({ source }) => source),
      (each) => slugKey(each),
    )
    return uniqueBy(
      some.map((each) => ({ ...each, original: isOriginalOf(each, some) ? each.original : undefined })),
      ({ source, original, language }) => (original === undefined ? source : `${original} ${language}`),
    )
  })
}

/** True if the original exists, in another language, and is not itself a translation. */
function isOriginalOf({ original, language }: Content, articles: readonly Content[]): boolean {
  const isTranslated = (source: string) =>
    articles.some((each) => each.source === source && each.original !== undefined)
  const named = articles.find(({ source }) => source === original)
  return named !== undefined && named.language !== language && !isTranslated(named.source)
}

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}

const wantedOf = (articles: readonly Content[]) =>
  articles.map(({ source, text, original, ...changes }) =>
    wanted(source, {
      ...changes,
      contentHash: text,
      original: articles.some((other) => other.source === original) ? original : undefined,
    }),
  )

/** Plans for everything on the target. Articles of other people have the slug `taken`. */
function plan(
  documents: readonly ResolvedArticle[],
  target: ReadonlyMap<string, RemoteEntry>,
  offers: TargetCapabilities,
  prune: boolean,
) {
  const entries = [...target.values()]
  const match = (some: readonly ResolvedArticle[]) =>
    matchArticles(
      documents.map(({ article }) => article),
      entries,
      { fingerprints: new Map(some.map((each) => [each.article.source, each.fingerprint])) },
    )
  const articles = relateTranslations(
    documents,
    match(documents.filter(({ article }) => article.original === undefined)),
    new Set(),
  )
  const matches = match(articles)
  const options = {
    overwriteDrift: false,
    adopt: new Set<string>(),
    prune,
    goneIds: new Set<string>(),
    sentVersions: new Set<string>(),
    documentKeys: [],
    offers,
  }
  return { matches, articles, ...planArticles(articles, matches, entries, options) }
}

/** A target that executes everything. Each article that it creates has its own id. */
function createTarget() {
  const entries = new Map<string, RemoteEntry>([['foreign', foreign('foreign', 'taken')]])
  let made = 0
  const drop = (id: string) => {
    entries.delete(id)
    for (const [each, entry] of entries)
      if (entry.languageParent === id) entries.set(each, { ...entry, languageParent: undefined })
  }

  /** Executes operations in order. One whose original has no article waits for the next plan. */
  function apply(operations: readonly Operation[], articles: readonly ResolvedArticle[]) {
    const bySource = new Map(articles.map((each) => [each.article.source, each]))
    const ids = new Map<string, string>()
    const situation = { wanted: bySource, entries: new Map(entries), allowsDuplicateSlugs: false }
    const writes = operations.filter(isArticleWrite)
    for (const each of operations) if (effectOf(each) === 'delete') drop(each.id ?? '')
    for (const step of orderWrites(writes, createNeedsAmong(situation))) {
      if (step.kind === 'aside') continue
      for (const operation of step.operations) write(operation, bySource.get(operation.source), ids)
    }
  }

  function write(operation: ArticleWrite, each: ResolvedArticle | undefined, ids: Map<string, string>) {
    if (each === undefined) return
    const { source, original } = each.article
    const { translationOf } = each
    const originalId = translationOf && (ids.get(original ?? '') ?? translationOf.id)
    if (translationOf !== undefined && originalId === undefined) return
    const effect = effectOf(operation)
    if (effect === 'replace') drop(operation.id ?? '')
    if (effect !== 'update') made += 1
    const newId = effect === 'update' ? (operation.id ?? '') : `id${made}`
    ids.set(source, newId)
    entries.set(newId, sent(originalId === undefined ? each : withOriginal(each, originalId), newId))
  }

  return { entries, apply }
}

const sendsSomething = ({ action }: Operation) => action !== 'conflict' && action !== 'skip'

/** Capabilities of a target, and the languages that documents then have. */
const TARGETS: readonly (readonly [string, TargetCapabilities, readonly (string | null)[]])[] = [
  ['the nine operations', NO_CAPABILITIES, [null]],
  ['updates', { ...NO_CAPABILITIES, updateInPlace: true }, [null]],
  ['updates and languages', ALL_CAPABILITIES, [null, 'fr', 'de']],
]

// Without prune, orphans stay, possibly at a slug that was passed on.
test.each(TARGETS)('with %s, after a plan was applied, the next plan is empty', (_, offers, languages) => {
  const histories = fc.array(contentIn(languages), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(histories, fc.boolean(), (history, prune) => {
      const target = createTarget()
      for (const documents of history.map(wantedOf)) {
        const first = plan(documents, target.entries, offers, prune)
        target.apply(first.operations, first.articles)
        const second = plan(documents, target.entries, offers, prune)
        expect(second.operations.filter(sendsSomething)).toEqual([])
        // A conflict concerns the foreign slug, a slug whose holder is in conflict, or an earlier version.
        const conflicts = second.operations.filter(({ action }) => action === 'conflict')
        const earlier = conflicts.filter(({ reason }) => reason === CONFLICT_REASONS.earlier)
        const contested = new Set(conflicts.filter((each) => !earlier.includes(each)).map(slugKey))
        expect(contested.size === 0 || contested.has(' taken')).toBe(true)
        expect(prune ? earlier : []).toEqual([])
        expect(prune ? second.orphans : []).toEqual([])
        const waiting = new Set(second.operations.filter(({ action }) => action === 'skip').map(slugKey))
        const asked = documents
          .map(({ article }) => slugKey(article))
          .filter((slug) => !contested.has(slug) && !waiting.has(slug))
        const held = [...target.entries.values()].filter(({ ours }) => ours !== undefined)
        expect(
          held
            .map(slugKey)
            .filter((slug) => asked.includes(slug))
            .toSorted(),
        ).toEqual(prune ? asked.toSorted() : expect.arrayContaining(asked))
        expect(target.entries.get('foreign')).toEqual(foreign('foreign', 'taken'))
      }
    }),
    RUNS,
  )
})

test.each(TARGETS)('with %s, a plan that stops anywhere is completed by the next', (_, offers, languages) => {
  const content = contentIn(languages)
  fc.assert(
    fc.property(content, content, fc.nat({ max: 5 }), (before, after, steps) => {
      const target = createTarget()
      const [old, current] = [wantedOf(before), wantedOf(after)]
      const apply = (documents: readonly ResolvedArticle[], end?: number) => {
        const { operations, articles } = plan(documents, target.entries, offers, true)
        target.apply(operations.slice(0, end), articles)
      }
      apply(old)
      apply(current, steps)
      apply(current)
      expect(plan(current, target.entries, offers, true).operations.filter(sendsSomething)).toEqual([])
    }),
    RUNS,
  )
})

test('if articles are changed in place, they keep their ids', () => {
  const content = contentIn([null, 'fr', 'de'])
  fc.assert(
    fc.property(content, content, (before, after) => {
      const target = createTarget()
      const first = plan(wantedOf(before), target.entries, ALL_CAPABILITIES, false)
      target.apply(first.operations, first.articles)
      const second = plan(wantedOf(after), target.entries, ALL_CAPABILITIES, false)
      target.apply(second.operations, second.articles)
      const third = plan(wantedOf(after), target.entries, ALL_CAPABILITIES, false)
      expect(third.operations.filter(({ action }) => action === 'replace')).toEqual([])
      for (const [source, { id }] of second.matches.entryOf)
        expect([source, third.matches.entryOf.get(source)?.id]).toEqual([source, id])
    }),
    RUNS,
  )
})

/** Writes that each hold one slug and need one, all different; some may be translations of originals. */
const slugs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const writesBy = (change: 'replace' | 'update') =>
  fc.tuple(fc.shuffledSubarray(slugs), fc.shuffledSubarray(slugs)).map(([holds, wants]) =>
    wants.map((slug, index) => {
      const held = holds[index]
      const subject = { kind: 'article', source: `${index}`, slug, language: null } as const
      return held === undefined
        ? ({ ...subject, action: 'create' } as const)
        : ({ ...subject, action: change, id: `id-${held}` } as const)
    }),
  )

function orderBySlugs(operations: readonly ArticleWrite[]) {
  const entries = new Map(
    operations.flatMap(({ id }) => (id === undefined ? [] : [[id, foreign(id, id.slice(3))] as const])),
  )
  const articles = new Map(operations.map(({ source, slug }) => [source, wanted(source, { slug })]))
  return orderWrites(operations, createNeedsAmong({ wanted: articles, entries, allowsDuplicateSlugs: false }))
}

test.each(['replace', 'update'] as const)(
  'writes that %s run in an order in which each slug is free',
  (change) => {
    fc.assert(
      fc.property(writesBy(change), (operations) => {
        const steps = orderBySlugs(operations)
        const ordered = steps.flatMap((step) => (step.kind === 'aside' ? [] : step.operations))
        expect(ordered.toSorted(bySource)).toEqual(operations.toSorted(bySource))
        expect(steps.some(({ kind }) => kind === (change === 'update' ? 'cycle' : 'aside'))).toBe(false)
        const held = new Map(
          operations.flatMap((each) => ('id' in each ? [[each.id.slice(3), each.id] as const] : [])),
        )
        for (const step of steps) {
          const before = new Map(held)
          if (step.kind === 'aside') {
            held.delete(step.operation.id.slice(3))
            continue
          }
          for (const { id, slug } of step.operations) {
            if (id !== undefined) held.delete(id.slice(3))
            const isHeldWithin = step.operations.some((other) => other.id === before.get(slug))
            const isFree = before.get(slug) === undefined || before.get(slug) === id
            expect(isFree || step.kind === 'cycle').toBe(true)
            if (step.kind === 'cycle') expect([id === undefined, isHeldWithin]).toEqual([false, true])
          }
        }
      }),
      RUNS,
    )
  },
)

const bySource = (one: ArticleWrite, other: ArticleWrite) => (one.source < other.source ? -1 : 1)

test('a swap is a cycle; what waits for it comes after', () => {
  const operation = (id: string, slug: string) =>
    ({ kind: 'article', action: 'replace', source: id, slug, language: null, id: `id-${id}` }) as const
  const swap = [operation('a', 'b'), operation('b', 'a'), operation('c', 'x'), operation('d', 'c')]
  expect(orderBySlugs(swap)).toEqual([
    { kind: 'wave', operations: [swap[2]] },
    { kind: 'wave', operations: [swap[3]] },
    { kind: 'cycle', operations: [swap[1], swap[0]] },
  ])
})

test('if articles are changed in place, one article of a cycle gets a temporary slug', () => {
  const operation = (id: string, slug: string) =>
    ({ kind: 'article', action: 'update', source: id, slug, language: null, id: `id-${id}` }) as const
  const [a, b, c] = [operation('a', 'b'), operation('b', 'c'), operation('c', 'a')]
  expect(orderBySlugs([a, b, c])).toEqual([
    { kind: 'aside', operation: b },
    { kind: 'wave', operations: [a] },
    { kind: 'wave', operations: [c] },
    { kind: 'wave', operations: [b] },
  ])
})
