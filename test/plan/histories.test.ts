// The planner's law: after a plan was applied, the next plan has nothing to do; whatever happened before.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Operation } from '../../src/model/plan.ts'
import { matchArticles } from '../../src/plan/match-articles.ts'
import { orderReplaces } from '../../src/plan/order-replaces.ts'
import type { WantedArticle } from '../../src/plan/payload.ts'
import { planArticles } from '../../src/plan/plan-articles.ts'
import type { RemoteEntry } from '../../src/plan/remote-entry.ts'
import { foreign, sent, wanted } from './examples.ts'

const numRuns = Number(process.env['HISTORIES'] ?? 200)

interface Content {
  readonly source: string
  readonly slug: string
  readonly text: string
}

/** What the content is at one moment: one slug for each article, as the check before the plan makes sure. */
const content: fc.Arbitrary<Content[]> = fc
  .array(
    fc.record({
      source: fc.constantFrom('a.md', 'b.md', 'c.md', 'd.md', 'e.md'),
      slug: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'taken'),
      text: fc.constantFrom('one', 'two'),
    }),
    { maxLength: 5 },
  )
  .map((articles) =>
    uniqueBy(
      uniqueBy(articles, ({ source }) => source),
      ({ slug }) => slug,
    ),
  )

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}

const wantedOf = (articles: readonly Content[]) =>
  articles.map(({ source, slug, text }) => wanted(source, { slug, contentHash: text }))

/** Plans over all that the target has; what people made there has the slug `taken`. */
function plan(articles: readonly WantedArticle[], target: ReadonlyMap<string, RemoteEntry>, prune: boolean) {
  const entries = [...target.values()]
  const fingerprints = new Map(articles.map((each) => [each.article.source, each.fingerprint]))
  const matches = matchArticles(
    articles.map(({ article }) => article),
    entries,
    fingerprints,
  )
  const options = {
    overwriteDrift: false,
    adopt: new Set<string>(),
    prune,
    goneIds: new Set<string>(),
    knownIds: new Set<string>(),
  }
  return { matches, ...planArticles(articles, matches, entries, options) }
}

/** A target that does what it is told; each article it makes has an id of its own. */
function createTarget() {
  const entries = new Map<string, RemoteEntry>([['foreign', foreign('foreign', 'taken')]])
  let made = 0
  return {
    entries,
    apply({ action, source, id }: Operation, articles: readonly WantedArticle[]) {
      if (action === 'delete' || action === 'replace') entries.delete(id)
      const each = articles.find(({ article }) => article.source === source)
      if ((action !== 'create' && action !== 'replace') || each === undefined) return
      made += 1
      entries.set(`id${made}`, sent(each, `id${made}`))
    },
  }
}

const sendsSomething = ({ action }: Operation) => action !== 'conflict' && action !== 'skip'

// Without prune, what no file wants stays, and may stand at a slug that was handed on.
test('after a plan was applied, the next plan is empty', () => {
  fc.assert(
    fc.property(fc.array(content, { minLength: 1, maxLength: 5 }), fc.boolean(), (history, prune) => {
      const target = createTarget()
      for (const articles of history.map(wantedOf)) {
        const first = plan(articles, target.entries, prune)
        for (const operation of first.operations) target.apply(operation, articles)
        const second = plan(articles, target.entries, prune)
        expect(second.operations.filter(sendsSomething)).toEqual([])
        // A conflict is about the foreign slug, or about one whose holder is in conflict.
        const contested = new Set(
          second.operations.filter(({ action }) => action === 'conflict').map(({ slug }) => slug),
        )
        expect(contested.size === 0 || contested.has('taken')).toBe(true)
        expect(prune ? second.orphans : []).toEqual([])
        const asked = articles.map(({ article }) => article.slug).filter((slug) => !contested.has(slug))
        const held = [...target.entries.values()].filter(({ ours }) => ours !== undefined)
        expect(
          held
            .map(({ slug }) => slug)
            .filter((slug) => asked.includes(slug))
            .toSorted(),
        ).toEqual(prune ? asked.toSorted() : expect.arrayContaining(asked))
        expect(target.entries.get('foreign')).toEqual(foreign('foreign', 'taken'))
      }
    }),
    { numRuns },
  )
})

test('a plan that stops anywhere is finished by the next', () => {
  fc.assert(
    fc.property(content, content, fc.nat({ max: 5 }), (before, after, steps) => {
      const target = createTarget()
      const [old, current] = [wantedOf(before), wantedOf(after)]
      for (const operation of plan(old, target.entries, true).operations) target.apply(operation, old)
      for (const operation of plan(current, target.entries, true).operations.slice(0, steps))
        target.apply(operation, current)
      for (const operation of plan(current, target.entries, true).operations) target.apply(operation, current)
      expect(plan(current, target.entries, true).operations.filter(sendsSomething)).toEqual([])
    }),
    { numRuns },
  )
})

/** Writes that each hold one slug and want one, no two the same. */
const slugs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const writes = fc.tuple(fc.shuffledSubarray(slugs), fc.shuffledSubarray(slugs)).map(([holds, wants]) =>
  wants.map((slug, index) => {
    const held = holds[index]
    const id = held === undefined ? '' : `id-${held}`
    return {
      kind: 'article',
      action: held === undefined ? 'create' : 'replace',
      source: `${index}`,
      slug,
      language: null,
      id,
    } as const
  }),
)

test('replaces run in an order in which each finds its slug free; only circles do not', () => {
  fc.assert(
    fc.property(writes, (operations) => {
      const holders = new Map(operations.flatMap(({ id }) => (id === '' ? [] : [[id.slice(3), id] as const])))
      const steps = orderReplaces(operations, ({ slug }) => holders.get(slug))
      const ordered = steps.flatMap((step) => step.operations)
      expect(ordered.toSorted(bySource)).toEqual(operations.toSorted(bySource))
      const held = new Map(holders)
      for (const step of steps) {
        const before = new Map(held)
        for (const { id, slug } of step.operations) {
          const isHeldWithin = step.operations.some((other) => other.id === before.get(slug))
          expect(before.get(slug) === undefined || before.get(slug) === id || step.kind === 'circle').toBe(
            true,
          )
          if (step.kind === 'circle') expect([id === '', isHeldWithin]).toEqual([false, true])
          if (id !== '') held.delete(id.slice(3))
        }
      }
    }),
    { numRuns },
  )
})

const bySource = (one: Operation, other: Operation) => (one.source < other.source ? -1 : 1)

test('a swap is a circle; what waits for it comes after', () => {
  const operation = (id: string, slug: string) =>
    ({ kind: 'article', action: 'replace', source: id, slug, language: null, id }) as const
  const swap = [operation('1', 'b'), operation('2', 'a'), operation('3', 'a2'), operation('4', 'x')]
  const holders = new Map(Object.entries({ a: '1', b: '2', a2: '1' }))
  expect(orderReplaces(swap, ({ slug }) => holders.get(slug))).toEqual([
    { kind: 'wave', operations: [swap[3]] },
    { kind: 'circle', operations: [swap[0], swap[1]] },
    { kind: 'wave', operations: [swap[2]] },
  ])
})
