import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ArticleFields, hashFields } from '../../../src/core/model/article-fields.ts'
import { EDITED_HASHES, type RemoteEntry } from '../../../src/sync/plan/remote-entry.ts'
import { matchArticles } from '../../../src/sync/plan/match-articles.ts'
import { separateCopies } from '../../../src/sync/plan/separate-copies.ts'
import { changed, desired, foreign, sent, wanted } from './examples.ts'

/** Ids by source, orphans and duplicates. */
function match(...input: Parameters<typeof matchArticles>) {
  const { entryOf, orphans, duplicates } = matchArticles(...input)
  return {
    ids: Object.fromEntries([...entryOf].map(([source, { id }]) => [source, id])),
    orphans: orphans.map(({ id }) => id).toSorted(),
    duplicates: duplicates.map(({ id }) => id).toSorted(),
  }
}

const entry = (id: string, source: string, changes = {}) => sent(wanted(source, changes), id)

describe('a document finds its article', () => {
  test.each<[string, ReturnType<typeof desired>[], RemoteEntry[], object, string[], string[]]>([
    ['by key and slug', [desired('a.md')], [entry('1', 'a.md')], { 'a.md': '1' }, [], []],
    [
      'after the file moved',
      [desired('new/a.md', { slug: 'a' })],
      [entry('1', 'a.md')],
      { 'new/a.md': '1' },
      [],
      [],
    ],
    [
      'after its slug changed',
      [desired('a.md', { slug: 'b' })],
      [entry('1', 'a.md')],
      { 'a.md': '1' },
      [],
      [],
    ],
    ['not after both', [desired('b.md')], [entry('1', 'a.md')], {}, ['1'], []],
    [
      'after its language changed',
      [desired('a.md', { language: 'fr' })],
      [entry('1', 'a.md')],
      { 'a.md': '1' },
      [],
      [],
    ],
    [
      'not at the same slug in another language',
      [desired('b.md', { slug: 'a', language: 'fr' })],
      [entry('1', 'a.md')],
      {},
      ['1'],
      [],
    ],
    [
      'not as a copy of another language that carries its marker',
      [desired('a.md')],
      [{ ...entry('1', 'a.md'), language: 'fr' }],
      {},
      ['1'],
      [],
    ],
    ['not among foreign ones', [desired('a.md')], [foreign('1', 'a')], {}, [], []],
    [
      'by key and slug rather than by slug',
      [desired('a.md')],
      [entry('1', 'old.md', { slug: 'a' }), entry('2', 'a.md')],
      { 'a.md': '2' },
      ['1'],
      [],
    ],
    [
      'by slug rather than by key',
      [desired('a.md', { slug: 'b' })],
      [entry('1', 'a.md'), entry('2', 'b.md')],
      { 'a.md': '2' },
      ['1'],
      [],
    ],
    [
      'while others swap their slugs',
      [desired('a.md', { slug: 'b' }), desired('b.md', { slug: 'a' })],
      [entry('1', 'a.md'), entry('2', 'b.md')],
      { 'a.md': '1', 'b.md': '2' },
      [],
      [],
    ],
    [
      'while one hands its slug on',
      [desired('a.md', { slug: 'b' }), desired('b.md', { slug: 'c' })],
      [entry('1', 'a.md'), entry('2', 'b.md')],
      { 'a.md': '1', 'b.md': '2' },
      [],
      [],
    ],
    [
      'of two, the older',
      [desired('a.md')],
      [entry('2', 'a.md'), changed(entry('1', 'a.md'), { createdMs: 2_000_000 })],
      { 'a.md': '2' },
      [],
      ['1'],
    ],
    [
      'of two of one age, the one with the smaller id',
      [desired('a.md')],
      [entry('2', 'a.md'), entry('1', 'a.md')],
      { 'a.md': '1' },
      [],
      ['2'],
    ],
  ])('%s', (_, articles, entries, ids, orphans, duplicates) => {
    expect(match(articles, entries)).toEqual({ ids, orphans, duplicates })
  })

  test('of two articles, the one with the wanted fingerprint', () => {
    const [old, current] = [wanted('a.md'), wanted('a.md', { title: 'New' })]
    const fingerprints = new Map([['a.md', current.fingerprint]])
    expect(match([current.article], [sent(old, '1'), sent(current, '2')], { fingerprints }).ids).toEqual({
      'a.md': '2',
    })
  })

  test('an article that is gone, only if nothing else matches', () => {
    const entries = [entry('1', 'a.md'), entry('2', 'other.md', { slug: 'a' })]
    const gone = new Set(['1'])
    expect(match([desired('a.md')], entries, { goneIds: gone }).ids).toEqual({ 'a.md': '2' })
    expect(match([desired('a.md')], entries.slice(0, 1), { goneIds: gone }).ids).toEqual({ 'a.md': '1' })
  })
})

/** A few documents and articles with few keys and slugs, so that they collide. */
describe('if the target stores slugs in another form', () => {
  const stored = (
    each: RemoteEntry,
    slug: string,
    changes: Partial<RemoteEntry> = {},
    altered: Partial<ArticleFields> = {},
  ): RemoteEntry => {
    const fields = { ...fieldsOf(each), ...altered, slug }
    const hashes = {
      fieldsHash: hashFields(fields),
      undatedFieldsHash: hashFields({ ...fields, reviewDate: '' }),
    }
    return { ...changed(each, { fields, ...hashes }), slug, ...changes }
  }
  const fieldsOf = ({ remote }: RemoteEntry) => {
    if (remote === undefined) throw new Error('the entry was not read')
    return remote.fields
  }
  const wantedVersions = (articles: readonly ReturnType<typeof desired>[]) =>
    new Map(articles.map(({ key, slug, language }) => [key, { slug, language }]))
  const moved = [desired('new/a.md', { slug: 'a' })]

  test("the only article that was sent to a moved file's slug belongs to it", () => {
    expect(match(moved, [stored(entry('1', 'a.md'), 'kb-a')])).toMatchObject({ ids: { 'new/a.md': '1' } })
  })

  test.each<[string, RemoteEntry[], string[]]>([
    ['beside another one that stands there', [entry('2', 'new/a.md', { slug: 'a' })], []],
    [
      'beside one that state knows and that is gone',
      [stored(entry('gone', 'a.md'), 'kb-a', { isKnown: true })],
      ['gone'],
    ],
  ])('but not %s', (_, others, gone) => {
    const copy = stored(entry('1', 'a.md'), 'a-copy')
    const found = match(moved, [copy, ...others], { goneIds: new Set(gone) })
    expect(found.duplicates).toEqual(['1'])
  })

  test('of two articles sent to one slug, the one unknown to the state is not a copy, even if the other was edited', () => {
    const order = 7
    const known = stored(entry('1', 'a.md', { slug: 'a', order }), 'kb-a', { isKnown: true }, { order: 0 })
    const edited = changed(known, { editedMs: 2_000_000, projectionHash: 'edited' })
    const other = stored(entry('2', 'a.md', { slug: 'a', order }), 'kb-a', {}, { order: 0 })
    const now = [desired('a.md', { slug: 'b', order })]
    for (const first of [known, edited])
      expect(match(now, [first, other])).toEqual({ ids: { 'a.md': '1' }, orphans: [], duplicates: ['2'] })
    expect(separateCopies([edited, other], new Set(), wantedVersions(now)).copies).toEqual([])
  })

  test('an article restored with an edit yields to the version of another machine', () => {
    const now = wanted('a.md', { slug: 'a' })
    const isEdited = (one: RemoteEntry): RemoteEntry =>
      one.ours === undefined ? one : { ...one, ours: { ...one.ours, ...EDITED_HASHES } }
    const restored = isEdited(stored(sent(now, '1'), 'chosen', { isKnown: true }))
    const other = stored(sent(now, '2'), 'kb-a')
    const fingerprints = new Map([['a.md', now.fingerprint]])
    for (const first of [restored, { ...restored, remote: undefined }])
      expect(match([now.article], [first, other], { fingerprints })).toEqual({
        ids: { 'a.md': '2' },
        orphans: [],
        duplicates: ['1'],
      })
  })

  test('the only article in the wanted version is not a copy of an earlier one in the state', () => {
    const now = wanted('a.md', { slug: 'b' })
    const earlier = stored(entry('1', 'a.md', { slug: 'a' }), 'kb-a', { isKnown: true })
    const entries = [earlier, stored(sent(now, '2'), 'kb-b')]
    const fingerprints = new Map([['a.md', now.fingerprint]])
    expect(match([now.article], entries, { fingerprints })).toEqual({
      ids: { 'a.md': '2' },
      orphans: [],
      duplicates: ['1'],
    })
  })
})

const world = fc.record({
  articles: fc.uniqueArray(
    fc.record({
      source: fc.constantFrom('a.md', 'b.md', 'c.md', 'd.md'),
      slug: fc.constantFrom('a', 'b', 'c'),
    }),
    { selector: ({ source }) => source },
  ),
  entries: fc.array(
    fc.record({
      source: fc.constantFrom('a.md', 'b.md', 'c.md', 'x.md'),
      slug: fc.constantFrom('a', 'b', 'c'),
      createdMs: fc.constantFrom(undefined, 1, 2),
      isForeign: fc.boolean(),
      isGone: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
  seed: fc.integer(),
})

describe('matching', () => {
  const build = ({
    articles,
    entries,
  }: {
    articles: { source: string; slug: string }[]
    entries: {
      source: string
      slug: string
      createdMs: number | undefined
      isForeign: boolean
      isGone: boolean
    }[]
  }) => ({
    documents: articles.map(({ source, slug }) => desired(source, { slug })),
    remote: entries.map(({ source, slug, createdMs, isForeign }, index) =>
      isForeign ? foreign(`id${index}`, slug) : changed(entry(`id${index}`, source, { slug }), { createdMs }),
    ),
    gone: new Set(entries.flatMap(({ isGone }, index) => (isGone ? [`id${index}`] : []))),
  })

  test('does not depend on the order of the input', () => {
    fc.assert(
      fc.property(world, ({ articles, entries, seed }) => {
        const { documents, remote, gone } = build({ articles, entries })
        const shuffled = <T>(items: readonly T[]) =>
          items.toSorted((one, other) => (hash(one) < hash(other) ? -1 : 1))
        const hash = (item: unknown) => JSON.stringify(item).length * (seed % 7) + JSON.stringify(item)
        const expected = match(documents, remote, { goneIds: gone })
        expect(match(shuffled(documents), shuffled(remote), { goneIds: gone })).toEqual(expected)
        expect(match(documents.toReversed(), remote.toReversed(), { goneIds: gone })).toEqual(expected)
      }),
    )
  })

  test('assigns each managed article once, and no foreign ones', () => {
    fc.assert(
      fc.property(world, ({ articles, entries }) => {
        const { documents, remote, gone } = build({ articles, entries })
        const { ids, orphans, duplicates } = match(documents, remote, { goneIds: gone })
        const ours = remote.flatMap(({ id, ours: mine }) => (mine === undefined ? [] : [id]))
        expect([...Object.values(ids), ...orphans, ...duplicates].toSorted()).toEqual(ours.toSorted())
      }),
    )
  })
})
