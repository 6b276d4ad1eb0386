// Errors in some articles: with `hold`, and in a run for other paths, everything else is sent.
import { expect, test } from 'vitest'
import { createMemoryService } from '../support/memory-service.ts'
import { createMemoryCheckout, heldBy, startSyncedInMemory, writesTo } from '../support/memory-project.ts'
import { article, type Files } from '../support/project.ts'
import { outcomeOf } from '../support/sync-project.ts'

const THREE: Files = {
  'content/first.md': article('First'),
  'content/second.md': article('Second', { slug: 'own-slug' }),
  'content/third.md': article('Third'),
}
const BROKEN = '---\ntitle: [\n---\n'
const NO_TITLE = '---\nslug: own-slug\ncategories: [Guides]\n---\n\nNo title.\n'
const HABITS = { extensions: ['update'] } as const
const hold = { onError: 'hold' } as const

test.each([
  ['whose frontmatter cannot be read', BROKEN],
  ['without a title', NO_TITLE],
  ['with a broken link', article('Second', { slug: 'own-slug', body: '[x](nowhere.md)' })],
])('an article %s is held back, and everything else is sent', async (_, broken) => {
  const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
  checkout.write({
    'content/first.md': article('First', { body: 'See [second](second.md).' }),
    'content/second.md': broken,
    'content/fourth.md': article('Fourth'),
  })
  const result = await checkout.sync(hold)
  expect(outcomeOf(result)).toMatchObject({ created: 1, updated: 1, unchanged: 1, skipped: 1 })
  expect([result.heldBack, result.orphans]).toEqual([['second.md'], []])
  expect(result.operations).toContainEqual(
    expect.objectContaining({
      action: 'skip',
      source: 'second.md',
      outcome: 'skipped',
      reason: 'held back because of an error',
    }),
  )
  expect(heldBy(service)).toEqual([
    'first: First: See second.',
    'fourth: Fourth: Text of Fourth.',
    'own-slug: Second: Text of Second.',
    'third: Third: Text of Third.',
  ])
  service.forget()
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ unchanged: 3, skipped: 1 })
  expect(writesTo(service)).toEqual([])
  checkout.write({ 'content/second.md': article('Second', { slug: 'own-slug', body: 'Fixed.' }) })
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ updated: 1, unchanged: 3 })
})

test('by default nothing is sent', async () => {
  const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
  checkout.write({ 'content/first.md': article('First', { body: 'New.' }), 'content/second.md': BROKEN })
  const result = await checkout.sync()
  expect([outcomeOf(result), result.heldBack]).toEqual([{ diagnostics: ['frontmatter-syntax'] }, undefined])
  expect(writesTo(service)).toEqual([])
})

test('a link to an article that was sent keeps its URL while that article is held back', async () => {
  const { service, checkout } = await startSyncedInMemory(HABITS, {
    ...THREE,
    'content/first.md': article('First', { body: '[one](second.md#part) [two](second.md)' }),
    'content/second.md': article('Second', { slug: 'own-slug', body: '# Part' }),
  })
  const before = service.articleAt('first').content
  checkout.write({ 'content/second.md': BROKEN, 'content/third.md': article('Third', { body: 'New.' }) })
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ updated: 1, unchanged: 1, skipped: 1 })
  expect(before).toContain('/articles/own-slug')
  expect(service.articleAt('first').content).toBe(before)
})

test.each([
  ['in all of the content', {}],
  ['in a run about the article that links to it', { isSelected: (source: string) => source === 'first.md' }],
] as const)('a link to an article that is held back with a new slug keeps its URL, %s', async (_, run) => {
  const linking = (body: string) =>
    article('First', { body: `${body} [one](second.md#part) [two](second.md)` })
  const second = (slug: string, body: string) => article('Second', { slug, body: `# Part\n\n${body}` })
  const { service, checkout } = await startSyncedInMemory(HABITS, {
    ...THREE,
    'content/first.md': linking('Old.'),
    'content/second.md': second('own-slug', 'Text.'),
  })
  checkout.write({
    'content/first.md': linking('New.'),
    'content/second.md': second('new-slug', '[x](nowhere.md)'),
  })
  expect(outcomeOf(await checkout.sync({ ...hold, ...run }))).toMatchObject({ updated: 1 })
  expect(service.articleAt('first').content).toMatch(
    /New\. <a href="\/articles\/own-slug#part">one<\/a> <a href="\/articles\/own-slug">/,
  )
  checkout.write({ 'content/second.md': second('new-slug', 'Fixed.') })
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ updated: 2 })
  expect(service.articleAt('first').content).toContain('"/articles/new-slug#part"')
})

test('an article that links to or translates an article that was never sent waits for it', async () => {
  const service = createMemoryService({ extensions: ['update', 'languages'], languages: ['en', 'fr'] })
  const checkout = createMemoryCheckout(service, {
    'content/a.md': article('A', { body: '[b](b.md)' }),
    'content/b.md': BROKEN,
    'content/c.md': article('C', { body: '[a](a.md)' }),
    'content/f.md': article('F', { language: 'fr', translationOf: 'b.md' }),
  })
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({
    created: 1,
    operations: [
      'skip a.md skipped: held back until b.md can be sent',
      'skip b.md skipped: held back because of an error',
      'skip f.md skipped: held back until b.md can be sent',
      'create c.md done',
    ],
  })
  checkout.write({ 'content/b.md': article('B') })
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ created: 3, unchanged: 1 })
})

test('a translation of an article that is held back keeps its original', async () => {
  const habits = { extensions: ['update', 'languages'], languages: ['en', 'fr'] } as const
  const french = (body: string) =>
    article('F', { language: 'fr', slug: 'own-slug', translationOf: 'second.md', body })
  const { service, checkout } = await startSyncedInMemory(habits, { ...THREE, 'content/f.md': french('Un.') })
  checkout.write({ 'content/second.md': BROKEN, 'content/f.md': french('Deux.') })
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ updated: 1, unchanged: 2, skipped: 1 })
  const original = service.articles().find(({ title }) => title === 'Second')
  const translation = service.articles().find(({ title }) => title === 'F')
  expect(translation).toMatchObject({ languageParent: original?.id })
})

test.each([false, true])(
  'prune deletes orphans, but nothing that is held back (without state: %s)',
  async (forgets) => {
    const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
    checkout.write({ 'content/second.md': BROKEN })
    checkout.remove('content/third.md')
    if (forgets) checkout.forgetState()
    const result = await checkout.sync({ ...hold, prune: true, yes: true })
    expect(result.summary).toMatchObject({ deleted: 1, unchanged: 1, skipped: 1, orphans: 0 })
    expect(heldBy(service)).toEqual(['first: First: Text of First.', 'own-slug: Second: Text of Second.'])
  },
)

test.each([true, false])(
  'an article that may belong to a moved file with an error is kept (prune: %s)',
  async (prune) => {
    const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
    checkout.remove('content/second.md')
    checkout.write({ 'content/moved.md': BROKEN })
    const result = await checkout.sync({ ...hold, prune, yes: true })
    expect(outcomeOf(result)).toMatchObject({
      skipped: 2,
      unchanged: 2,
      operations: [
        'skip own-slug skipped: it may belong to an article that is held back',
        'skip moved.md skipped: held back because of an error',
      ],
    })
    expect(heldBy(service)).toHaveLength(3)
    checkout.write({ 'content/moved.md': article('Second', { slug: 'own-slug' }) })
    expect(outcomeOf(await checkout.sync({ prune: true, yes: true }))).toMatchObject({ unchanged: 3 })
  },
)

test('prune deletes orphans even if no file can be read and there is no state', async () => {
  const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
  checkout.write({ 'content/first.md': BROKEN, 'content/second.md': BROKEN })
  checkout.remove('content/third.md')
  checkout.forgetState()
  const { guard, summary } = await checkout.sync({ ...hold, prune: true, yes: true })
  expect([guard, summary]).toMatchObject([undefined, { deleted: 1, skipped: 2 }])
  expect(heldBy(service)).toHaveLength(2)
})

const NONE = { kind: 'count', count: 0 } as const

test('articles that are held back do not count as gone, and do not hide articles that are gone', async () => {
  const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
  checkout.write({
    'content/first.md': article('First', { slug: 'other', body: '[x](nowhere.md)' }),
    'content/second.md': BROKEN,
  })
  const run = { ...hold, prune: true, maxDeletes: NONE } as const
  const { guard, summary } = await checkout.sync(run)
  expect([guard, summary]).toMatchObject([undefined, { skipped: 2, unchanged: 1, deleted: 0, orphans: 0 }])
  service.drop('third')
  await expect(checkout.sync(run)).rejects.toMatchObject({
    code: 'TARGET_DIFFERENT',
    message: expect.stringContaining('1 of the 3 articles'),
  })
  expect(writesTo(service)).toEqual([])
})

test('the slug of an article that is held back stays reserved', async () => {
  const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
  checkout.write({
    'content/second.md': article('Second', { slug: 'new-slug', body: '[x](nowhere.md)' }),
    'content/fourth.md': article('Fourth', { slug: 'own-slug' }),
  })
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ conflicts: 1, skipped: 1, unchanged: 2 })
  expect(service.articleAt('own-slug').title).toBe('Second')
  checkout.write({ 'content/second.md': article('Second', { slug: 'new-slug' }) })
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ created: 1, updated: 1, unchanged: 2 })
})

test.each([
  ['that the target lacks', {}],
  ['of the target', { extensions: ['update', 'languages'], languages: ['en', 'fr'] }],
] as const)('an article that is held back with another language %s keeps its article', async (_, habits) => {
  const { service, checkout } = await startSyncedInMemory(habits, THREE)
  const french = (body: string) => article('Second', { slug: 'second', language: 'fr', body })
  checkout.write({
    'content/second.md': french('[x](nowhere.md)'),
    'content/fourth.md': article('Fourth', { slug: 'own-slug' }),
  })
  checkout.forgetState()
  const run = { ...hold, prune: true, yes: true }
  expect(outcomeOf(await checkout.sync(run))).toMatchObject({ conflicts: 1, skipped: 1, unchanged: 2 })
  expect(heldBy(service)).toContain('own-slug: Second: Text of Second.')
  checkout.write({ 'content/second.md': french('Fixed.') })
  await checkout.sync({ prune: true, yes: true })
  expect(service.articleAt('own-slug').title).toBe('Fourth')
})

test('only the article with a reference that the target lacks is held back', async () => {
  const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
  checkout.write({
    'content/first.md': article('First', { body: 'New.' }),
    'content/second.md': article('Second', { slug: 'own-slug', categories: ['Nowhere'] }),
  })
  expect(outcomeOf(await checkout.sync(hold))).toMatchObject({
    updated: 1,
    unchanged: 1,
    skipped: 1,
    diagnostics: ['category-unknown'],
  })
  expect(heldBy(service)).toHaveLength(3)
})

test('an error in a taxonomy file stops the run', async () => {
  const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
  checkout.write({
    'content/_categories.yml': '- nam: Guides\n',
    'content/first.md': article('First', { body: 'New.' }),
  })
  const result = await checkout.sync(hold)
  expect([result.operations, result.heldBack]).toEqual([[], undefined])
  expect(writesTo(service)).toEqual([])
})

test('a plan shows articles that are held back; a saved plan must be complete', async () => {
  const { checkout } = await startSyncedInMemory(HABITS, THREE)
  checkout.write({ 'content/first.md': article('First', { body: 'New.' }), 'content/second.md': BROKEN })
  expect(outcomeOf(await checkout.plan(hold))).toMatchObject({ updated: 1, unchanged: 1, skipped: 1 })
  const saving = await checkout.plan({ ...hold, savesPlan: true })
  expect([saving.savedPlan, saving.operations]).toEqual([undefined, []])
})

const about = (...sources: string[]) => ({
  sources,
  isSelected: (source: string) => sources.includes(source),
})

test('a run for some paths is stopped only by errors that concern them', async () => {
  const { service, checkout } = await startSyncedInMemory(HABITS, {
    ...THREE,
    'content/_part.md': 'Part.',
    'content/fourth.md': article('Fourth', { body: '<!-- include: _part.md -->' }),
  })
  checkout.write({
    'content/first.md': article('First', { body: 'New. [Second](second.md)' }),
    'content/second.md': BROKEN,
    'content/third.md': article('Third', { categories: ['Nowhere'] }),
    'content/fifth.md': article('Fifth', { body: '[New](new.md)' }),
    'content/new.md': BROKEN,
    'content/_part.md': '[x](nowhere.md)',
  })
  expect(outcomeOf(await checkout.sync(about('first.md')))).toEqual({
    updated: 1,
    operations: ['update first.md done'],
  })
  expect(service.articleAt('first').content).toContain('/articles/own-slug')
  service.forget()
  for (const [source, code] of [
    ['second.md', 'frontmatter-syntax'],
    ['third.md', 'category-unknown'],
    ['fourth.md', 'link-file-missing'],
    ['fifth.md', 'frontmatter-syntax'],
  ] as const) {
    const { operations, diagnostics } = await checkout.sync(about(source))
    expect([source, operations.filter(({ outcome }) => outcome === 'done')]).toEqual([source, []])
    expect(diagnostics.map((each) => each.code)).toContain(code)
  }
  expect(writesTo(service)).toEqual([])
})

test.each([
  {
    depends: 'on a taxonomy file',
    selected: 'first.md',
    changed: { 'content/_categories.yml': '- nam: Guides\n' },
    found: ['_categories.yml'],
  },
  {
    depends: 'on an original that is its translation, too',
    selected: 'french.md',
    changed: { 'content/third.md': article('Third', { language: 'fr', body: '[x](nowhere.md)' }) },
    found: ['french.md', 'third.md'],
  },
  {
    depends: 'on an original that does not exist',
    selected: 'french.md',
    changed: { 'content/french.md': article('French', { language: 'fr', translationOf: 'no.md' }) },
    found: ['french.md', 'second.md'],
  },
])('a run for one path that depends $depends shows no other errors', async ({ selected, changed, found }) => {
  const { service, checkout } = await startSyncedInMemory(
    { extensions: ['update', 'languages'], languages: ['en', 'fr'] },
    { ...THREE, 'content/french.md': article('French', { language: 'fr', translationOf: 'third.md' }) },
  )
  checkout.write({
    'content/first.md': article('First', { body: 'New.' }),
    'content/second.md': BROKEN,
    'content/other.md': article('Other', { body: '[x](nowhere.md)' }),
    ...changed,
  })
  const { diagnostics, operations } = await checkout.sync(about(selected))
  const files = new Set(diagnostics.map(({ file }) => file.replace('content/', '')))
  expect([[...files].toSorted(), operations]).toEqual([found, []])
  expect(writesTo(service)).toEqual([])
})

test.each([false, true])(
  'a copy does not become the article of a broken file outside of the run (without state: %s)',
  async (forgets) => {
    const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
    checkout.write({ 'content/third.md': BROKEN, 'content/help/copied.md': article('Third') })
    if (forgets) checkout.remove('.kb')
    expect(outcomeOf(await checkout.sync(about('help/copied.md')))).toMatchObject({ created: 1 })
    expect(heldBy(service)).toContain('third: Third: Text of Third.')
  },
)

// Its own article would be gone there.
test.each([false, true])(
  'no other article replaces one that is held back (without state: %s)',
  async (forgets) => {
    const { service, checkout } = await startSyncedInMemory(HABITS, THREE)
    checkout.write({
      'content/second.md': BROKEN,
      'content/third.md': article('Third', { slug: 'own-slug' }),
    })
    if (forgets) checkout.forgetState()
    expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ conflicts: 1, skipped: 1, unchanged: 1 })
    expect(heldBy(service)).toEqual([
      'first: First: Text of First.',
      'own-slug: Second: Text of Second.',
      'third: Third: Text of Third.',
    ])
    checkout.write({ 'content/second.md': article('Second', { slug: 'third' }) })
    expect(outcomeOf(await checkout.sync(hold))).toMatchObject({ updated: 2, unchanged: 1 })
  },
)
