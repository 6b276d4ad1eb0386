// Articles that exist only on the target become new files, whatever their content.
import { expect, test } from 'vitest'
import { article, type Files } from '../../support/project.ts'
import { type ServiceHabits, startStrictService } from '../../support/strict-service.ts'
import { outcomeOf } from '../../support/sync-project.ts'
import { createPullProject, pullOutcome } from './pull-project.ts'

const ONE: Files = { 'content/one.md': article('One', { body: 'Text of One.\n\n## More' }) }

async function startWith(habits: ServiceHabits = {}, files: Files = ONE) {
  const service = await startStrictService(habits)
  const project = createPullProject(service.url, files)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: Object.keys(files).length })
  service.forget()
  return { service, project }
}

test('an article is pulled with all its fields, and a sync recognises it', async () => {
  const { service, project } = await startWith()
  service.add({
    title: 'Reset your password',
    slug: 'reset-password',
    content: '<p>Open <b>Settings</b>, see <a href="/articles/one#more">more</a>.</p>\n<ul><li>one</li></ul>',
    excerpt: 'How to reset it.',
    order: 4,
    status: 'published',
    categoryIds: ['id-2'],
    tagIds: ['id-3'],
    hideFromSearch: true,
    seoBannerUrl: 'https://example.com/b.png',
    reviewDate: '2027-05-01',
  })
  expect(pullOutcome(await project.pull())).toEqual({
    created: 1,
    unchanged: 1,
    files: ['create content/reset-password.md done [text]'],
  })
  expect(project.read('content/reset-password.md')).toMatchInlineSnapshot(`
    "---
    title: Reset your password
    categories: [Accounts]
    tags: [Safety]
    excerpt: How to reset it.
    status: published
    reviewDate: 2027-05-01
    order: 4
    hideFromSearch: true
    seoBannerUrl: https://example.com/b.png
    ---

    Open **Settings**, see [more](one.md#more).

    - one
    "
  `)
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2, diagnostics: ['link-to-draft'] })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2, diagnostics: ['link-to-draft'] })
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2, diagnostics: ['link-to-draft'] })
  expect(service.events.map(({ did }) => did)).toEqual(['created'])
})

test('values that the file implies are not in the frontmatter', async () => {
  const { service, project } = await startWith()
  service.add({
    title: 'Short',
    slug: 'short',
    content: '<p>Just text.</p>',
    excerpt: 'Just text.',
    reviewDate: '',
  })
  service.edit('short', {
    content: '<p>Just text, <a href="https://example.com/">linked</a>.</p>',
    excerpt: 'Just text, linked.',
  })
  await project.pull()
  expect(project.read('content/short.md')).toMatchInlineSnapshot(`
    "---
    title: Short
    categories: [Guides]
    status: draft
    ---

    Just text, [linked](https://example.com/).
    "
  `)
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
})

test('an article that Markdown cannot fully express is pulled, and must be adopted', async () => {
  const { service, project } = await startWith()
  service.add({ title: 'Film', slug: 'film', content: '<h1>Film</h1><p>Text.</p>' })
  const note =
    'content that Markdown cannot represent was left out; kb sync --adopt film takes over the article on the target and overwrites it with the file'
  expect(pullOutcome(await project.pull())).toMatchObject({
    created: 1,
    files: [`create content/film.md done [text]: ${note}`],
  })
  const again = await project.pull()
  const files = [
    'conflict content/film.md skipped: a file has this slug, but neither a marker nor the state shows that the article is its own; kb sync --adopt film overwrites the article',
  ]
  expect(pullOutcome(again)).toEqual({ conflicts: 1, unchanged: 1, files })
  expect(pullOutcome(await project.pull({ editsOnly: true }))).toEqual({ conflicts: 1, unchanged: 1, files })
  const pullOne = (name: string) => project.pull({ isSelected: (source) => source === name })
  expect(pullOutcome(await pullOne('film.md'))).toEqual({ conflicts: 1, files })
  expect(pullOutcome(await pullOne('one.md'))).toEqual({ unchanged: 1 })
  expect(outcomeOf(await project.sync())).toMatchObject({ conflicts: 1 })
  expect(outcomeOf(await project.sync({ adopt: ['film'] }))).toMatchObject({ replaced: 1 })
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
})

test('everything that a new file leaves out is listed', async () => {
  const { service, project } = await startWith()
  service.add({
    title: 'Scripts',
    slug: 'scr',
    content: '<p>hi<script>x</script></p><iframe src="https://example.org/x"></iframe>',
  })
  service.add({ title: 'Style', slug: 'style', content: '<style>p {}</style><p>Text</p>' })
  const { files } = await project.pull()
  const frames = ['a frame (<iframe>), replaced by a link', 'a script (<script>)']
  expect(files.map(({ file, reason, lost }) => ({ file, reason, lost }))).toEqual([
    {
      file: 'content/scr.md',
      reason: `left out: ${frames.join(', ')}; kb sync --adopt scr takes over the article on the target and overwrites it with the file`,
      lost: frames,
    },
    {
      file: 'content/style.md',
      reason: 'left out: a style sheet (<style>)',
      lost: ['a style sheet (<style>)'],
    },
  ])
  expect(project.read('content/scr.md')).toMatch(/hi\n\n<https:.*x>\n$/)
})

test('articles of another project and drafts beside others are not pulled', async () => {
  const { service, project } = await startWith()
  const other = createPullProject(service.url, { 'content/two.md': article('Two') }, { project: 'other' })
  expect(outcomeOf(await other.sync())).toMatchObject({ created: 1 })
  const draft = service.add({ title: 'Open, new', slug: 'open', content: '<p>Draft</p>' })
  service.add({ title: 'Open', slug: 'open', content: '<p>Text</p>', draftId: draft.id })
  expect(pullOutcome(await project.pull())).toEqual({
    skipped: 1,
    unchanged: 1,
    files: ['skip open skipped: it has an open draft on the target'],
  })
  expect(Object.keys(project.contents())).toEqual(['one.md'])
})

test('--edits-only pulls none', async () => {
  const { service, project } = await startWith()
  service.add({ title: 'Foreign', slug: 'foreign', content: '<p>Text</p>' })
  expect(pullOutcome(await project.pull({ editsOnly: true }))).toEqual({ unchanged: 1 })
})

const HOSTILE: [string, string, string | undefined][] = [
  ['../../evil', 'evil', undefined],
  ['..', '..', undefined],
  ['a\u202eb', 'direction', undefined],
  ['CON', 'con', 'article-CON.md'],
  ['_hidden', '_hidden', 'hidden.md'],
  ['.env', '.env', 'env.md'],
  ['ONE', 'one in capitals', 'ONE-2.md'],
  ['a:b*c"d<e>f|g', 'reserved', 'a-b-c-d-e-f-g.md'],
  ['README', 'folder page', 'README-2.md'],
  ['with space', 'space', undefined],
  ['x'.repeat(200), 'long', `${'x'.repeat(90)}.md`],
]

test.each(HOSTILE)('the slug %s of a foreign article', async (slug, title, expected) => {
  const { service, project } = await startWith()
  service.add({ title, slug, content: '<p>Text</p>' })
  const { files, summary } = await project.pull()
  expect(await project.check()).toEqual([])
  const names = Object.keys(project.contents()).filter((name) => name !== 'one.md')
  expect(names).toEqual(expected === undefined ? [] : [expected])
  expect(files.map(({ action }) => action)).toEqual([expected === undefined ? 'skip' : 'create'])
  expect(summary).toMatchObject(expected === undefined ? { skipped: 1 } : { created: 1 })
  if (expected === undefined) return
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
})

test.each<[string, { title?: string; content?: string; excerpt?: string }]>([
  ['a title with line breaks and quotes', { title: 'A "title"\nwith: [breaks] # and\t\'quotes\'' }],
  ['a body that begins like frontmatter', { content: '<p>---</p><p>title: x</p><p>---</p>' }],
  ['a body that begins with a rule', { content: '<hr><p>title: x</p><hr>' }],
  ['an excerpt of 160 astral characters', { excerpt: '\u{1F600}'.repeat(160) }],
  ['an excerpt with control characters', { excerpt: 'a\u001b[31mb\u202e' }],
  ['text that looks like Markdown', { content: '<p># no heading * [x](y) {{ include }} &lt;b&gt; ```</p>' }],
  ['scripts and handlers', { content: '<p onclick="x()">Text<script>alert(1)</script></p>' }],
  ["somebody's marker", { content: '<p>Text</p><!--kb1.zz-->' }],
  ['nothing', { content: '' }],
])('%s', async (_, changes) => {
  const { service, project } = await startWith()
  service.add({ title: 'Hostile', slug: 'hostile', content: '<p>Text</p>', ...changes })
  expect(pullOutcome(await project.pull())).toMatchObject({ created: 1 })
  expect(await project.check()).toEqual([])
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
  expect(service.events.filter(({ did }) => did !== 'created')).toEqual([])
})

test('an unlisted category prevents an article from being pulled, with a message', async () => {
  const { service, project } = await startWith()
  project.write({ 'content/_categories.yml': '- name: Guides\n' })
  service.add({ title: 'Foreign', slug: 'foreign', content: '<p>Text</p>', categoryIds: ['id-2'] })
  expect(pullOutcome(await project.pull())).toEqual({
    skipped: 1,
    unchanged: 1,
    files: [
      'skip foreign skipped: kb check would reject it: content/foreign.md:3 There is no category "Accounts" in _categories.yml',
    ],
  })
})

test('of two articles with one slug, one is pulled', async () => {
  const { service, project } = await startWith()
  service.add({ title: 'Twin', slug: 'twin', content: '<p>Text</p>' })
  service.add({ title: 'Twin', slug: 'twin', content: '<p>Text</p>' })
  expect(pullOutcome(await project.pull())).toMatchObject({ created: 1, conflicts: 1 })
})

test('new articles link to each other, and translations refer to their originals', async () => {
  const { service, project } = await startWith({
    extensions: ['update', 'languages'],
    languages: ['en', 'fr'],
  })
  const original = service.add({
    title: 'Two',
    slug: 'two',
    content: '<p>See <a href="/articles/three">three</a>.</p>',
  })
  service.add({ title: 'Three', slug: 'three', content: '<p>See <a href="/articles/two">two</a>.</p>' })
  service.add({
    title: 'Deux',
    slug: 'two',
    content: '<p>Texte</p>',
    language: 'fr',
    languageParent: original.id,
  })
  expect(pullOutcome(await project.pull())).toMatchObject({ created: 3 })
  expect(project.read('content/two.md')).toContain('[three](three.md)')
  expect(project.read('content/three.md')).toContain('[two](two.md)')
  expect(project.read('content/two.fr.md')).toContain('slug: two\n')
  expect(project.read('content/two.fr.md')).toContain('language: fr\ntranslationOf: two\n')
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 4 })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 4 })
})
