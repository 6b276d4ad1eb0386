import { CONFLICT_REASONS } from '../../../src/core/model/plan.ts'
import { describe, expect, test } from 'vitest'
import { matchArticles } from '../../../src/sync/plan/match-articles.ts'
import { NO_CAPABILITIES } from '../../../src/sync/plan/target-capabilities.ts'
import { planArticles } from '../../../src/sync/plan/plan-articles.ts'
import type { ArticleFields } from '../../../src/core/model/article-fields.ts'
import { type RemoteEntry, withExactDate } from '../../../src/sync/plan/remote-entry.ts'
import { type ResolvedArticle, resolveArticle } from '../../../src/sync/plan/resolved-article.ts'
import { changed, desired, foreign, remoteArticle, sent, wanted } from './examples.ts'
import type { ArticlePlanOptions } from '../../../src/sync/plan/decide-change.ts'

const OPTIONS: ArticlePlanOptions = {
  overwriteDrift: false,
  adopt: new Set(),
  prune: false,
  goneIds: new Set(),
  sentVersions: new Set(),
  documentKeys: [],
  offers: NO_CAPABILITIES,
}

/** An article that the state knows, and that someone has pulled. */
function unsent(entry: RemoteEntry): RemoteEntry {
  return { ...entry, isKnown: true, ours: entry.ours && { ...entry.ours, isPulled: true } }
}

/** An article that is managed because it equals a file. */
function claimed(entry: RemoteEntry): RemoteEntry {
  return { ...changed(entry, { marker: undefined }), ours: entry.ours && { ...entry.ours, isClaimed: true } }
}

/** An article in the state, on a target with the extension `etag`. */
function datedExactly(entry: RemoteEntry): RemoteEntry {
  return { ...entry, ours: withExactDate(entry.ours, remoteOf(entry), { etag: true }) }
}

/** The article with other fields on the target. */
function withFields(entry: RemoteEntry, changes: Partial<ArticleFields>): RemoteEntry {
  if (entry.remote === undefined) throw new Error('the entry was not read')
  const fields = { ...entry.remote.fields, ...changes }
  const { fieldsHash, undatedFieldsHash } = remoteArticle(entry.id, fields)
  const { title, slug } = fields
  return { ...changed(entry, { fields, fieldsHash, undatedFieldsHash }), title, slug }
}

function remoteOf({ id, remote }: RemoteEntry) {
  if (remote === undefined) throw new Error(`${id} was not read`)
  return remote
}

function plan(
  articles: readonly ResolvedArticle[],
  entries: readonly RemoteEntry[],
  changes: Partial<ArticlePlanOptions> = {},
) {
  const options = { ...OPTIONS, ...changes }
  const fingerprints = new Map(articles.map((each) => [each.article.source, each.fingerprint]))
  const matches = matchArticles(
    articles.map(({ article }) => article),
    entries,
    { fingerprints, goneIds: options.goneIds },
  )
  return planArticles(articles, matches, entries, options)
}

const a = wanted('a.md')
const newer = wanted('a.md', { title: 'New', contentHash: 'f'.repeat(32) })
const onTarget = sent(a, 'id1')
const edited = changed(onTarget, { projectionHash: 'e'.repeat(32), editedMs: 9_000_000 })
const withDraft = changed(onTarget, { draftId: 'id9' })
const pulled = unsent(onTarget)
const translation = foreign('id5', 'a-fr', { language: 'fr', languageParent: 'id1' })
const base = { kind: 'article', source: 'a.md', slug: 'a', language: null }

describe('one document', () => {
  const overwrite = { overwriteDrift: true }
  const gone = { goneIds: new Set(['id1']) }
  const slugTaken = 'the slug belongs to an article that kb-sync did not create'
  test.each<
    [string, ResolvedArticle, readonly RemoteEntry[], Partial<ArticlePlanOptions>, object | undefined]
  >([
    ['is new', a, [], {}, { action: 'create' }],
    ['is unchanged', a, [onTarget], {}, undefined],
    ['is unchanged, and was not read', a, [{ ...onTarget, remote: undefined }], {}, undefined],
    ['is unchanged beside an open draft', a, [withDraft], {}, undefined],
    ['changed', newer, [onTarget], {}, { action: 'replace', id: 'id1' }],
    [
      'changed, and the target rewrites HTML',
      newer,
      [changed(onTarget, { projectionHash: 'e' })],
      {},
      { action: 'replace', id: 'id1' },
    ],
    [
      'changed its slug',
      wanted('a.md', { slug: 'b' }),
      [onTarget],
      {},
      { action: 'move', by: 'replace', id: 'id1', slug: 'b' },
    ],
    [
      'was edited on the target',
      a,
      [edited],
      {},
      { action: 'conflict', id: 'id1', reason: 'it was edited on the target' },
    ],
    [
      'was edited on the target, to be overwritten',
      a,
      [edited],
      overwrite,
      { action: 'replace', id: 'id1', reason: 'overwrites an edit made on the target' },
    ],
    [
      'was edited in its fields',
      a,
      [changed(withFields(onTarget, { order: 9 }), { editedMs: 9_000_000 })],
      {},
      { action: 'conflict', id: 'id1', reason: 'it was edited on the target' },
    ],
    [
      'was edited in its fields, and the file has taken it in',
      wanted('a.md', { order: 9, excerpt: 'New.' }),
      [changed(withFields(onTarget, { order: 9 }), { editedMs: 9_000_000 })],
      {},
      { action: 'replace', id: 'id1', reason: 'the file contains the edit made on the target' },
    ],
    [
      'differs, and the target tells no times',
      a,
      [changed(edited, { createdMs: undefined })],
      {},
      { action: 'conflict', id: 'id1', reason: 'it was edited on the target' },
    ],
    [
      'differs, and was last edited a moment after its creation, on a target that dates both',
      a,
      [changed(edited, { editedMs: 1_000_900 })],
      {},
      undefined,
    ],
    [
      'differs, and was last edited a moment after our write, whose date is known',
      a,
      [datedExactly(changed(edited, { editedMs: 1_000_001 }))],
      {},
      { action: 'conflict', id: 'id1', reason: 'it was edited on the target' },
    ],
    [
      'differs, and was last edited by our write, whose date is known',
      a,
      [datedExactly(changed(edited, { editedMs: 1_000_000 }))],
      {},
      undefined,
    ],
    ['was touched, but says the same', a, [changed(onTarget, { editedMs: 9_000_000 })], {}, undefined],
    [
      'changed, and has an open draft',
      newer,
      [withDraft],
      {},
      { action: 'conflict', id: 'id1', reason: 'it has an open draft on the target' },
    ],
    [
      'changed, and has an open draft, whatever is to be overwritten',
      newer,
      [withDraft],
      overwrite,
      { action: 'conflict', id: 'id1', reason: 'it has an open draft on the target' },
    ],
    [
      'was deleted on the target',
      a,
      [onTarget],
      gone,
      { action: 'create', reason: 'it was deleted on the target' },
    ],
    [
      'was deleted on the target and made again there by hand',
      a,
      [onTarget, foreign('id2', 'a')],
      gone,
      { action: 'conflict', id: 'id2', reason: slugTaken },
    ],
    [
      'was deleted on the target and sent again by another machine',
      newer,
      [onTarget, sent(newer, 'id2')],
      gone,
      undefined,
    ],
    [
      'wants the slug of a foreign article',
      a,
      [foreign('id2', 'a')],
      {},
      { action: 'conflict', id: 'id2', reason: slugTaken },
    ],
    [
      'wants the slug of another project',
      a,
      [foreign('id2', 'a', { project: 'other' })],
      overwrite,
      { action: 'conflict', id: 'id2', reason: 'the slug belongs to an article of the project "other"' },
    ],
    [
      'changed its slug to that of a foreign article',
      wanted('a.md', { slug: 'b' }),
      [onTarget, foreign('id2', 'b')],
      {},
      { action: 'conflict', id: 'id2', slug: 'b', reason: slugTaken },
    ],
    [
      'adopts a foreign article',
      a,
      [foreign('id2', 'a')],
      { adopt: new Set(['a']) },
      { action: 'replace', id: 'id2', reason: 'adopted' },
    ],
    [
      'adopts by slug only',
      a,
      [foreign('id2', 'a')],
      { adopt: new Set(['b']) },
      { action: 'conflict', id: 'id2', reason: slugTaken },
    ],
    [
      'has a foreign article of its slug in another language',
      a,
      [foreign('id2', 'a', { language: 'fr' })],
      {},
      { action: 'create' },
    ],
    [
      'adopts a foreign article with an open draft',
      a,
      [foreign('id2', 'a', { remote: { ...remoteOf(onTarget), draftId: 'id9' } })],
      { adopt: new Set(['a']) },
      { action: 'conflict', id: 'id2', reason: CONFLICT_REASONS.draft },
    ],
    ['was pulled and is unchanged', a, [pulled], {}, undefined],
    [
      'was pulled, is unchanged, and is to be adopted',
      a,
      [pulled],
      { adopt: new Set(['a']) },
      { action: 'replace', id: 'id1', reason: 'adopted' },
    ],
    [
      'was pulled, and another one is to be adopted',
      newer,
      [pulled],
      { adopt: new Set(['b']) },
      { action: 'replace', id: 'id1' },
    ],
    [
      'was pulled, is to be adopted, and has an open draft',
      a,
      [unsent(withDraft)],
      { adopt: new Set(['a']) },
      { action: 'conflict', id: 'id1', reason: CONFLICT_REASONS.draft },
    ],
    ['was sent and is unchanged, to be adopted', a, [onTarget], { adopt: new Set(['a']) }, undefined],
    [
      'was claimed and changed, where markers are lost',
      newer,
      [claimed(onTarget)],
      { keepsComments: false },
      { action: 'replace', id: 'id1' },
    ],
    [
      'was claimed and changed, where markers are kept',
      newer,
      [claimed(onTarget)],
      { keepsComments: true },
      { action: 'conflict', id: 'id1', reason: CONFLICT_REASONS.foreign },
    ],
    [
      'was sent and changed, where markers are kept',
      newer,
      [onTarget],
      { keepsComments: true },
      { action: 'replace', id: 'id1' },
    ],
    [
      'changed, and a translation names it',
      newer,
      [onTarget, translation],
      {},
      { action: 'conflict', id: 'id1', reason: CONFLICT_REASONS.original },
    ],
    [
      'changed in place, and a translation names it',
      newer,
      [onTarget, translation],
      { offers: { ...NO_CAPABILITIES, updateInPlace: true } },
      { action: 'update', id: 'id1' },
    ],
    [
      'changed, and the translation that named it is gone',
      newer,
      [onTarget, translation],
      { goneIds: new Set(['id5']) },
      { action: 'replace', id: 'id1' },
    ],
    [
      'changed, and what was not read is known to be its article',
      newer,
      [{ ...onTarget, remote: undefined }],
      {},
      { action: 'replace', id: 'id1' },
    ],
  ])('%s', (_, each, entries, options, expected) => {
    expect(plan([each], entries, options)).toEqual({
      operations: expected === undefined ? [] : [{ ...base, ...expected }],
      unchanged: expected === undefined ? 1 : 0,
      orphans: [],
    })
  })
})

describe('another article at the slug of a managed one', () => {
  const shared = { ...base, action: 'conflict', id: 'id2', reason: CONFLICT_REASONS.shared }
  const other = foreign('id2', 'a', { remote: { ...remoteOf(onTarget), id: 'id2' } })
  const draftOf = (entry: RemoteEntry, draftId: string) => changed(entry, { draftId })
  test.each<[string, ResolvedArticle, readonly RemoteEntry[], object[]]>([
    ['is shown beside an unchanged one', a, [onTarget, other], [shared]],
    ['and was not read is, too', a, [onTarget, foreign('id2', 'a')], [shared]],
    ['is its draft', a, [draftOf(onTarget, 'id2'), other], []],
    ['is what it is the draft of', a, [onTarget, draftOf(other, 'id1')], []],
    [
      'has a draft somewhere else',
      a,
      [draftOf(onTarget, 'id7'), draftOf(other, 'id8')],
      [{ ...base, action: 'conflict', id: 'id2', reason: CONFLICT_REASONS.shared }],
    ],
    ['is in another language', a, [onTarget, { ...other, language: 'fr' }], []],
    ['is at another slug', a, [onTarget, { ...other, slug: 'b' }], []],
  ])('%s', (_, each, entries, operations) => {
    expect(plan([each], entries)).toEqual({ operations, unchanged: 1, orphans: [] })
  })

  test('is ignored once the article is gone, or moves away', () => {
    const gone = plan([a], [onTarget, other], { goneIds: new Set(['id1']) })
    expect(gone.operations).toEqual([{ ...shared, reason: CONFLICT_REASONS.foreign }])
    const moved = plan([wanted('a.md', { slug: 'b' })], [onTarget, other])
    expect(moved.operations).toEqual([{ ...base, slug: 'b', action: 'move', by: 'replace', id: 'id1' }])
  })

  test('may be a copy of another managed article, which is not overwritten', () => {
    const copy = changed(withFields(sent(a, 'id2'), { slug: 'b' }), { editedMs: 9_000_000 })
    const b = wanted('b.md')
    expect(plan([a, b], [onTarget, copy])).toEqual({
      operations: [
        { ...base, source: 'b.md', slug: 'b', action: 'conflict', id: 'id2', reason: CONFLICT_REASONS.copy },
        { ...base, slug: 'b', action: 'conflict', id: 'id2', reason: CONFLICT_REASONS.duplicate },
      ],
      unchanged: 1,
      orphans: [],
    })
  })
})

describe('an article without document', () => {
  const orphan = { id: 'id1', title: 'a.md', slug: 'a', language: null }
  const prune = { prune: true }
  test.each<[string, RemoteEntry, Partial<ArticlePlanOptions>, object | undefined]>([
    ['is left', onTarget, {}, undefined],
    ['is deleted by prune', onTarget, prune, { action: 'delete-orphan', reason: 'its file is gone' }],
    [
      'is deleted by prune where it was not read',
      { ...onTarget, remote: undefined },
      prune,
      { action: 'delete-orphan', reason: 'its file is gone' },
    ],
    [
      'is not, where it was edited',
      edited,
      prune,
      { action: 'conflict', reason: 'it has no file, but it was edited on the target' },
    ],
    [
      'is, where edits are to be overwritten',
      edited,
      { ...prune, overwriteDrift: true },
      { action: 'delete-orphan', reason: 'its file is gone' },
    ],
    [
      'is not, where a draft is open',
      withDraft,
      { ...prune, overwriteDrift: true },
      { action: 'conflict', reason: 'it has no file, but it has an open draft on the target' },
    ],
  ])('%s', (_, entry, options, expected) => {
    expect(plan([], [entry], options)).toEqual({
      operations: expected === undefined ? [] : [{ ...base, source: undefined, id: 'id1', ...expected }],
      unchanged: 0,
      orphans: [orphan],
    })
  })

  test('is ignored if it is gone or foreign', () => {
    const options = { ...prune, goneIds: new Set(['id1']) }
    expect(plan([], [onTarget, foreign('id2', 'b')], options)).toEqual({
      operations: [],
      unchanged: 0,
      orphans: [],
    })
  })
})

describe('a second article of one document', () => {
  const surplus = { action: 'delete-copy', reason: 'a second article for the same document' }
  const left = { action: 'conflict', reason: CONFLICT_REASONS.duplicate }
  const version = { action: 'conflict', reason: CONFLICT_REASONS.earlier }
  const duplicate = sent(a, 'id2')
  const earlier = sent(wanted('a.md', { slug: 'before', title: 'Before' }), 'id2')
  test.each<[string, RemoteEntry, Partial<ArticlePlanOptions>, object | undefined]>([
    ['goes where nobody touched it', duplicate, {}, surplus],
    ['stays where it was edited', changed(duplicate, { projectionHash: 'e' }), {}, left],
    [
      'stays where a field was changed',
      changed(duplicate, { fieldsHash: 'e', undatedFieldsHash: 'e' }),
      {},
      left,
    ],
    ['stays where a draft of it is open', changed(duplicate, { draftId: 'id9' }), {}, left],
    ['stays where its title is another', withFields(duplicate, { title: 'Copy' }), {}, left],
    ['stays where its slug is another', withFields(duplicate, { slug: 'copy' }), {}, left],
    ['is named where it is an earlier version, under another slug and title', earlier, {}, version],
    ['goes where it is an earlier version and pruning was asked for', earlier, { prune: true }, surplus],
    [
      'goes where the target changed its slug when it came, and state knows it',
      { ...withFields(duplicate, { slug: 'a-2' }), isKnown: true },
      {},
      surplus,
    ],
    [
      'goes without a marker where state knows it',
      { ...changed(duplicate, { marker: undefined }), isKnown: true },
      {},
      surplus,
    ],
    [
      'stays without a marker where state knows it and we never sent it',
      unsent(changed(duplicate, { marker: undefined })),
      {},
      left,
    ],
    [
      'goes where the target changed its slug when it came, and it was never named',
      withFields(duplicate, { slug: 'a-2' }),
      { sentVersions: new Set([`${duplicate.ours?.key} ${duplicate.ours?.fingerprint}`]) },
      surplus,
    ],
    [
      'stays where nothing but its content tells whose it is',
      changed(duplicate, { marker: undefined }),
      {},
      left,
    ],
    ['stays in another language', { ...duplicate, language: 'fr' }, {}, left],
    [
      'goes as an earlier version at its own slug and title',
      sent(wanted('a.md', { excerpt: 'Before' }), 'id2'),
      {},
      surplus,
    ],
    [
      'is named as an earlier version at its slug, under another title',
      sent(wanted('a.md', { title: 'Before' }), 'id2'),
      {},
      version,
    ],
    [
      'is named as an earlier version at another slug, under its title',
      sent(wanted('a.md', { slug: 'before' }), 'id2'),
      {},
      version,
    ],
    ['is nothing where it is gone', duplicate, { goneIds: new Set(['id2']) }, undefined],
  ])('%s', (_, entry, options, expected) => {
    const { slug, language } = entry
    expect(plan([a], [onTarget, entry], options)).toEqual({
      operations: expected === undefined ? [] : [{ ...base, slug, language, id: 'id2', ...expected }],
      unchanged: 1,
      orphans: [],
    })
  })

  describe('on a target that shortens excerpts', () => {
    const kept = withFields(onTarget, { excerpt: 'Exc' })
    const shortened = withFields(duplicate, { excerpt: 'Exc' })
    test.each<[string, RemoteEntry, object]>([
      ['goes where it was shortened alike', shortened, surplus],
      ['stays where its title is another', withFields(shortened, { title: 'Copy' }), left],
      ['stays where its text is another', changed(shortened, { projectionHash: 'e' }), left],
      ['is named where it is an earlier version', withFields(earlier, { excerpt: 'Exc' }), version],
    ])('%s', (_, entry, expected) => {
      const { slug } = entry
      expect(plan([a], [kept, entry])).toEqual({
        operations: [{ ...base, slug, id: 'id2', ...expected }],
        unchanged: 1,
        orphans: [],
      })
    })
  })

  describe('that this run does not select', () => {
    const copy = changed(withFields(duplicate, { slug: 'copy' }), {})
    const skipped = { ...base, action: 'skip', source: undefined, slug: 'copy', id: 'id2' }
    test.each<[string, readonly string[], object[]]>([
      [
        'is named where the file is gone',
        [],
        [{ ...skipped, reason: 'a copy of a managed article, not changed' }],
      ],
      ['is not named where the run is about other files', [a.article.key], []],
    ])('%s', (_, documentKeys, operations) => {
      expect(
        planArticles(
          [],
          { entryOf: new Map(), orphans: [], duplicates: [copy], movedFrom: new Map() },
          [copy],
          { ...OPTIONS, documentKeys },
        ),
      ).toEqual({ operations, unchanged: 0, orphans: [] })
    })
  })
})

describe('the fate of another article decides', () => {
  const inFrench = (id: string | undefined) =>
    resolveArticle(desired('a.fr.md', { language: 'fr', slug: 'a-fr', original: 'a.md' }), ['c1'], [], { id })
  const taken = foreign('id8', 'a')
  const outcomes = (
    articles: readonly ResolvedArticle[],
    entries: readonly RemoteEntry[],
    changes?: Partial<ArticlePlanOptions>,
  ) =>
    plan(articles, entries, changes).operations.map(({ action, source, reason }) => {
      const why = reason === undefined ? '' : `: ${reason}`
      return `${source ?? 'no file'} ${action}${why}`
    })
  const slugTaken = 'the slug belongs to an article that kb-sync did not create'
  const waits = 'its original a.md is not on the target yet'
  const held = CONFLICT_REASONS.slugHeld

  test.each<[string, readonly RemoteEntry[], Partial<ArticlePlanOptions>, string[]]>([
    ['is created in the same run', [], {}, ['a.md create', 'a.fr.md create']],
    ['is on the target', [onTarget], {}, ['a.fr.md create']],
    ['is held back', [taken], {}, [`a.md conflict: ${slugTaken}`, `a.fr.md skip: ${waits}`]],
    [
      'is gone and cannot be created again',
      [onTarget, taken],
      { goneIds: new Set(['id1']) },
      [`a.md conflict: ${slugTaken}`, `a.fr.md skip: ${waits}`],
    ],
  ])('whether a translation is sent: its original %s', (_, entries, changes, expected) => {
    expect(outcomes([a, inFrench(undefined)], entries, changes)).toEqual(expected)
  })

  test('nothing for a translation that is unchanged, or for an original', () => {
    const french = inFrench('id1')
    const here = sent(french, 'id2')
    const gone = { goneIds: new Set(['id1']) }
    expect(outcomes([a, french], [onTarget, here, taken], gone)).toEqual([`a.md conflict: ${slugTaken}`])
    expect(outcomes([a, wanted('b.md')], [taken])).toEqual([`a.md conflict: ${slugTaken}`, 'b.md create'])
  })

  test('whether a slug becomes free, and so on', () => {
    const moving = wanted('a.md', { slug: 'x' })
    const second = sent(wanted('b.md'), 'id2')
    const inTheWay = foreign('id8', 'x')
    const takesA = wanted('b.md', { slug: 'a' })
    const takesB = wanted('c.md', { slug: 'b' })
    const free = wanted('d.md')
    expect(outcomes([moving, takesA, takesB, free], [onTarget, second])).toEqual([
      'a.md move',
      'b.md move',
      'c.md create',
      'd.md create',
    ])
    expect(outcomes([moving, takesA, takesB, free], [onTarget, second, inTheWay])).toEqual([
      `a.md conflict: ${slugTaken}`,
      `b.md conflict: ${held}`,
      `c.md conflict: ${held}`,
      'd.md create',
    ])
    const gone = { goneIds: new Set(['id1']) }
    expect(outcomes([moving, takesA, free], [onTarget, second, inTheWay], gone)).toEqual([
      `a.md conflict: ${slugTaken}`,
      'b.md move',
      'd.md create',
    ])
  })

  test('nothing for an article that keeps its slug', () => {
    const renamed = withFields(edited, { slug: 'b' })
    const beside = sent(wanted('b.md'), 'id2')
    const newerB = wanted('b.md', { title: 'New', contentHash: 'f'.repeat(32) })
    expect(outcomes([newer, newerB], [renamed, beside])).toEqual([
      expect.stringMatching(/^a\.md conflict: /) as string,
      'b.md replace',
    ])
    expect(outcomes([newer, wanted('c.md', { slug: 'b' })], [renamed])).toEqual([
      expect.stringMatching(/^a\.md conflict: /) as string,
      `c.md conflict: ${held}`,
    ])
  })
})
