// Edits made in the web interface are written to the files, and nothing is sent.
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeLock } from '../../../src/sync/state/lock.ts'
import { article, type Files } from '../../support/project.ts'
import {
  type ServiceHabits,
  type StoredArticle,
  type StrictService,
  startStrictService,
} from '../../support/strict-service.ts'
import { outcomeOf } from '../../support/sync-project.ts'
import { createPullProject, pullOutcome, type PullProject } from './pull-project.ts'

const PIXEL = Buffer.from('GIF89a\u0001\0\u0001\0', 'latin1')

const FIRST = `---
# Kept as it is.
title: First   # the title
categories: [Guides]
order: 3
---

# First

Text of *first*, see [the second](second.md#more) and ![a pixel](img/pixel.gif).

* one
* two

Last words.
`

const FILES: Files = {
  'content/first.md': FIRST,
  'content/second.md': article('Second', { body: 'Text of Second.\n\n## More\n\nAnd more.' }),
}

async function startSynced(habits: ServiceHabits = {}, files: Files = FILES) {
  const service = await startStrictService(habits)
  const project = createPullProject(
    service.url,
    { 'content/img/pixel.gif': PIXEL.toString('latin1'), ...files },
    { rules: { 'asset-unused': 'off' } },
  )
  expect(outcomeOf(await project.sync())).toMatchObject({ created: Object.keys(files).length })
  // Without comments, an article is known to be managed because it was seen as sent.
  if (habits.stripsComments === true) await project.sync({ verify: true })
  service.forget()
  return { service, project }
}

const editText = (service: StrictService, slug: string, from: string, to: string) => {
  const { content } = service.articleAt(slug)
  expect(content).toContain(from)
  service.edit(slug, { content: content.replace(from, to) })
}

const sentNothing = ({ requests }: StrictService) =>
  requests.filter((each) => !/^(GET|OPTIONS)/.test(each)).length === 0

const HABITS: [string, ServiceHabits][] = [
  ['that keeps what it gets', {}],
  ['that updates in place', { extensions: ['update'] }],
  ['that rewrites HTML', { rewritesHtml: true }],
  ['that strips comments', { stripsComments: true }],
  ['that leaves members out', { isSparse: true }],
  ['with numbers for ids', { numericIds: true }],
  ['that refuses doubled slugs', { duplicateSlugs: 'refused-409' }],
]

test('an edit is written to a file that was renamed since, and the next sync moves the article', async () => {
  const { service, project } = await startSynced({ extensions: ['update'] })
  const { id } = service.articleAt('first')
  editText(service, 'first', 'Last words.', 'The last <em>words</em>.')
  project.move('content/first.md', 'content/opening.md')
  expect(pullOutcome(await project.pull({ isSelected: (source) => source === 'opening.md' }))).toEqual({
    updated: 1,
    files: ['update content/opening.md done [text]'],
  })
  expect(project.read('content/opening.md')).toContain('The last *words*.')
  expect(outcomeOf(await project.sync())).toMatchObject({
    operations: [
      'move opening.md done: moved first.md -> opening.md; the file contains the edit made on the target',
    ],
  })
  expect(service.articleAt('opening')).toMatchObject({ id })
})

test.each(HABITS)('a service %s: an edit leaves HTML elsewhere in the file as it is', async (_, habits) => {
  const image = '<img src="https://e.example/l.svg" alt="L">'
  const body = `Text.\n\n<h1 align="center">\n  ${image}\n</h1>\n\n${image}\n\n<br>\n\n<!-- c -->\n\n<br>\n\nMore.\n`
  const { service, project } = await startSynced(habits, { 'content/first.md': article('First', { body }) })
  editText(service, 'first', 'Text.', 'Edited.')
  expect(pullOutcome(await project.pull())).toEqual({
    updated: 1,
    files: ['update content/first.md done [text]'],
    diagnostics: ['heading-second-h1'],
  })
  expect(project.read('content/first.md')).toBe(article('First', { body: body.replace('Text.', 'Edited.') }))
})

test.each(HABITS)('a service %s: an edit comes into the file, and both are at rest', async (_, habits) => {
  const { service, project } = await startSynced(habits)
  editText(service, 'first', 'Last words.', 'The last <em>words</em>.')
  service.edit('first', { title: 'First things', order: 0, seoBannerUrl: 'https://example.com/b.png' })
  const expected = {
    updated: 1,
    unchanged: 1,
    files: ['update content/first.md done [title+order+seoBannerUrl+text]'],
  }
  expect(pullOutcome(await project.pull())).toEqual(expected)
  expect(project.read('content/first.md')).toBe(`---
# Kept as it is.
title: First things   # the title
categories: [Guides]
order: 0
seoBannerUrl: https://example.com/b.png
---

# First things

Text of *first*, see [the second](second.md#more) and ![a pixel](img/pixel.gif).

* one
* two

The last *words*.
`)
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
  expect(sentNothing(service)).toBe(true)
  expect(await project.check()).toEqual([])

  const synced = await project.sync()
  expect(outcomeOf(synced)).toMatchObject({ unchanged: 1 })
  expect(synced.summary.conflicts + synced.summary.failed).toBe(0)
  expect(outcomeOf(await project.sync({ verify: true }))).toEqual({ unchanged: 2 })
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
  expect(service.articleAt('first')).toMatchObject({ title: 'First things', order: 0 })
  expect(service.articles()).toHaveLength(2)
})

test('a broken link that is sent as text stays a link in the file', async () => {
  const service = await startStrictService()
  const file = article('First', { body: 'See [the *terms*](gone.md) and ![alt](gone.png).\n\nMore.' })
  const project = createPullProject(
    service.url,
    { 'content/first.md': file },
    { links: { broken: 'text' }, rules: { 'link-file-missing': 'warning', 'asset-missing': 'warning' } },
  )
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1 })
  expect(service.articleAt('first').content).toContain(
    'See <a>the <em>terms</em></a> and <img src="gone.png"',
  )
  expect(outcomeOf(await project.sync({ verify: true }))).toMatchObject({ unchanged: 1 })
  editText(service, 'first', 'More.', 'Much more.')
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 1 })
  expect(project.read('content/first.md')).toBe(file.replace('More.', 'Much more.'))
  await project.sync()
  editText(service, 'first', 'See ', 'Read ')
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 1 })
  expect(project.read('content/first.md')).toContain('Read [the *terms*](gone.md) and')
})

test('a site URL is sent as text, unless the rule is off, and stays a link in the file', async () => {
  const service = await startStrictService()
  const files = {
    'content/first.md': article('First', { body: 'See [plans](/pricing) and ![alt](/a.png).\n\nMore.' }),
    'content/same/host.md': article('Host', { body: 'See [plans](/pricing).' }),
  }
  const project = createPullProject(service.url, files, {
    links: { broken: 'text' },
    rules: { 'site-address': 'warning' },
    overrides: [{ files: ['same/**'], rules: { 'site-address': 'off' } }],
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 2 })
  expect(service.articleAt('first').content).toContain('See <a>plans</a> and <img src="/a.png"')
  expect(service.articleAt('host').content).toContain('See <a href="/pricing">plans</a>')
  expect(outcomeOf(await project.sync({ verify: true }))).toMatchObject({ unchanged: 2 })
  editText(service, 'first', 'See ', 'Read ')
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 1 })
  expect(project.read('content/first.md')).toContain('Read [plans](/pricing) and')
})

test('changes made only in the file stay; each side keeps its own field', async () => {
  const { service, project } = await startSynced()
  project.write({ 'content/second.md': article('Second', { body: 'Changed.\n\n## More', order: 2 }) })
  const before = project.read('content/second.md')
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
  service.edit('second', { title: 'Second, edited' })
  expect(pullOutcome(await project.pull())).toMatchObject({
    files: ['update content/second.md done [title]'],
  })
  expect(project.read('content/second.md')).toBe(before.replace('"Second"', '"Second, edited"'))
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, unchanged: 1 })
  expect(service.articleAt('second')).toMatchObject({ title: 'Second, edited', order: 2 })
})

test('the first paragraph adds no excerpt, and a sync recognises the edit', async () => {
  const { service, project } = await startSynced()
  editText(service, 'second', 'Text of Second.', 'Other text of Second.')
  expect(pullOutcome(await project.pull())).toMatchObject({ files: ['update content/second.md done [text]'] })
  expect(project.read('content/second.md')).toBe(
    (FILES['content/second.md'] ?? '').replace('Text of', 'Other text of'),
  )
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, unchanged: 1 })
  expect(service.articleAt('second').excerpt).toBe('Other text of Second.')
})

test("an excerpt is written if the target's differs from that of the text", async () => {
  const { service, project } = await startSynced()
  service.edit('second', { excerpt: '\u{1F600}'.repeat(160) })
  expect(pullOutcome(await project.pull())).toMatchObject({
    files: ['update content/second.md done [excerpt]'],
  })
  expect(project.read('content/second.md')).toContain('\u{1F600}'.repeat(160))
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1 })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
})

test.each<[string, Partial<StoredArticle>, string]>([
  ['categories', { categoryIds: ['id-2'] }, 'categories: [Accounts]'],
  ['tags', { tagIds: ['id-3'] }, 'Safety'],
  ['status', { status: 'published' }, 'status: published'],
  ['slug', { slug: 'moved' }, 'slug: moved'],
  ['hideFromSearch', { hideFromSearch: true }, 'hideFromSearch: true'],
  ['reviewDate', { reviewDate: '9999-12-31' }, 'reviewDate: never'],
])('the field %s is written', async (field, changes, expected) => {
  const { service, project } = await startSynced(
    {},
    { 'content/only.md': `---\ntitle: Only\ncategories: [Guides]\nreviewDate: 2027-01-31\n---\n\nText.\n` },
  )
  service.edit('only', changes)
  expect(pullOutcome(await project.pull())).toEqual({
    updated: 1,
    files: [`update content/only.md done [${field}]`],
  })
  expect(project.read('content/only.md')).toContain(expected)
  expect(await project.check()).toEqual([])
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 1 })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1 })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 1 })
  expect(service.articles()).toHaveLength(1)
})

test('both sides changed the same: the file is unchanged, or overwritten with a backup', async () => {
  const { service, project } = await startSynced()
  const mine = article('Second', { body: 'My own words.\n\n## More' })
  project.write({ 'content/second.md': mine })
  editText(service, 'second', 'Text of', 'Other text of')
  const conflict = 'content/second.md'
  const reason = 'it was edited in the file and on the target'
  expect(pullOutcome(await project.pull({ dryRun: true }))).toMatchObject({
    conflicts: 1,
    files: [`conflict ${conflict} planned [text]: ${reason}`],
  })
  expect(pullOutcome(await project.pull())).toEqual({
    conflicts: 1,
    unchanged: 1,
    files: [`conflict ${conflict} skipped [text]: ${reason}`],
  })
  expect(project.read(conflict)).toBe(mine)
  expect(existsSync(project.path('.kb/backups'))).toBe(false)

  expect(pullOutcome(await project.pull({ onConflict: 'overwrite' }))).toEqual({
    updated: 1,
    unchanged: 1,
    files: [`update ${conflict} done [text]: overwrites an edit of the file`],
  })
  expect(project.read(conflict)).toContain('Other text of Second.')
  expect(backups(project)).toEqual([mine])
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
})

test('both sides made the same change: nothing to do', async () => {
  const { service, project } = await startSynced()
  editText(service, 'second', 'Text of', 'Other text of')
  service.edit('second', { excerpt: 'Other text of Second.' })
  project.write({
    'content/second.md': (FILES['content/second.md'] ?? '').replace('Text of', 'Other text of'),
  })
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
})

test('drafts, deleted articles and orphans are reported and unchanged', async () => {
  const { service, project } = await startSynced()
  project.write({ 'content/third.md': article('Third') })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1 })
  editText(service, 'first', 'Last words', 'Other words')
  service.edit('first', { draftId: 'draft-1' })
  service.drop('second')
  project.remove('content/third.md')
  const before = project.contents()
  expect(pullOutcome(await project.pull())).toEqual({
    skipped: 3,
    files: [
      'skip content/first.md skipped: it has an open draft on the target',
      'skip content/second.md skipped: it was deleted on the target; the file is kept, and kb sync would send it again',
      'skip third skipped: its file is gone; kb sync --prune deletes it',
    ],
  })
  expect(project.contents()).toEqual(before)
})

test('a fresh checkout without state pulls the same', async () => {
  const { service, project } = await startSynced()
  editText(service, 'first', 'Last words.', 'The last words.')
  project.forgetState()
  expect(pullOutcome(await project.pull())).toMatchObject({ files: ['update content/first.md done [text]'] })
  expect(project.read('content/first.md')).toBe(FIRST.replace('Last words.', 'The last words.'))
})

test('a link added on the target becomes a path if it leads to a file or a heading', async () => {
  const { service, project } = await startSynced()
  const links = ['/articles/second', '/articles/second#more', '/articles/second#gone', 'https://example.com/']
  editText(service, 'first', 'Last words.', links.map((href) => `<a href="${href}">x</a>`).join(' '))
  await project.pull()
  expect(project.read('content/first.md')).toContain(
    '[x](second.md) [x](second.md#more) [x](/articles/second#gone) [x](https://example.com/)',
  )
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
})

test('files that would not pass kb check are not written, but the others are', async () => {
  const { service, project } = await startSynced()
  // The first article links to this heading.
  editText(service, 'second', '<h2', '<h2 hidden')
  editText(service, 'second', 'More</h2>', 'Less</h2>')
  service.edit('first', { order: 7 })
  expect(pullOutcome(await project.pull())).toEqual({
    updated: 1,
    conflicts: 1,
    files: [
      'update content/first.md done [order]',
      'conflict content/second.md skipped [text]: kb check would reject it: content/first.md:10 second.md has no heading "#more"',
    ],
  })
  expect(project.read('content/second.md')).toBe(FILES['content/second.md'])
  expect(await project.check()).toEqual([])
})

test.each(['title', 'excerpt'])('a %s that no file can contain is a conflict', async (field) => {
  const { service, project } = await startSynced()
  service.edit('first', { [field]: 'Half a \uD83D pair' })
  const conflict = {
    conflicts: 1,
    unchanged: 1,
    files: [
      `conflict content/first.md skipped [${field}]: its ${field} on the target contains characters that a file cannot store`,
    ],
  }
  expect(pullOutcome(await project.pull())).toEqual(conflict)
  expect(pullOutcome(await project.pull({ onConflict: 'overwrite' }))).toEqual(conflict)
  expect(project.read('content/first.md')).toBe(FIRST)
})

test('a text that Markdown cannot fully express is a conflict, and is taken as far as possible on request', async () => {
  const { service, project } = await startSynced()
  editText(service, 'first', 'Last words.', 'The <a href="ftp://example.com/f">file</a>.')
  const refused = pullOutcome(await project.pull())
  expect(refused).toMatchObject({ conflicts: 1 })
  expect(refused.files?.[0]).toMatch(/has parts that Markdown cannot represent/)
  expect(project.read('content/first.md')).toBe(FIRST)
  expect(pullOutcome(await project.pull({ onConflict: 'overwrite' }))).toMatchObject({
    files: ['update content/first.md done [text]: content that Markdown cannot represent was left out'],
  })
  expect(project.read('content/first.md')).toContain('The file.')
  expect(pullOutcome(await project.pull({ onConflict: 'overwrite' }))).toEqual({ unchanged: 2 })
  expect(outcomeOf(await project.sync({ onConflict: 'overwrite' }))).toMatchObject({ replaced: 1 })
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
})

test('content with an error is reported, and nothing is pulled', async () => {
  const { service, project } = await startSynced()
  editText(service, 'first', 'Last words.', 'The last words.')
  project.write({ 'content/broken.md': 'no frontmatter' })
  service.forget()
  expect(pullOutcome(await project.pull())).toEqual({ diagnostics: ['frontmatter-missing'] })
  expect(service.requests).toEqual([])
})

test('paths limit the run to their files', async () => {
  const { service, project } = await startSynced()
  service.edit('first', { order: 7 })
  service.edit('second', { order: 8 })
  service.add({ title: 'Foreign', slug: 'foreign', content: '<p>Text</p>' })
  const isSelected = (source: string) => source === 'second.md'
  expect(pullOutcome(await project.pull({ isSelected }))).toEqual({
    updated: 1,
    files: ['update content/second.md done [order]'],
  })
  expect(Object.keys(project.contents())).toEqual(['first.md', 'img/pixel.gif', 'second.md'])
})

test('--dry-run makes the same decisions but writes nothing', async () => {
  const { service, project } = await startSynced()
  editText(service, 'first', 'Last words.', 'The last words.')
  service.add({ title: 'Foreign', slug: 'foreign', content: '<p>Text</p>' })
  const before = project.contents()
  const result = await project.pull({ dryRun: true })
  expect(pullOutcome(result)).toMatchObject({
    files: ['update content/first.md planned [text]', 'create content/foreign.md planned [text]'],
  })
  expect(result.files.map(({ change }) => change?.before)).toEqual([FIRST, undefined])
  expect(project.contents()).toEqual(before)
})

test('a file that was saved during the pull is not overwritten', async () => {
  const { service, project } = await startSynced()
  editText(service, 'first', 'Last words.', 'The last words.')
  const mine = FIRST.replace('Last words.', 'Saved just now.')
  const whenCompiled = () => project.write({ 'content/first.md': mine })
  expect(pullOutcome(await project.pull({ whenCompiled }))).toEqual({
    conflicts: 1,
    unchanged: 1,
    files: ['conflict content/first.md skipped [text]: the file was changed while kb pull ran; run it again'],
  })
  expect(project.read('content/first.md')).toBe(mine)
})

test('during a sync nothing is pulled, but a dry run is allowed', async () => {
  const { service, project } = await startSynced()
  editText(service, 'first', 'Last words.', 'The last words.')
  const name = readdirSync(project.path('.kb/state')).find((each) => /^[^.]+\.ndjson$/.test(each)) ?? ''
  const release = takeLock(project.path(`.kb/state/${name.replace('.ndjson', '.lock')}`), new Date())
  try {
    await expect(project.pull()).rejects.toMatchObject({ code: 'LOCKED' })
    expect(project.read('content/first.md')).toBe(FIRST)
    expect(pullOutcome(await project.pull({ dryRun: true }))).toMatchObject({ updated: 1 })
  } finally {
    release()
  }
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 1 })
})

test('a run that is stopped while writing reports what is left, and the next one completes it', async () => {
  const { service, project } = await startSynced()
  service.edit('first', { title: 'First, edited' })
  service.edit('second', { title: 'Second, edited' })
  const mine = FIRST.replace('title: First', 'title: Mine')
  project.write({
    'content/first.md': mine.replace('# First', '# Mine'),
    'content/second.md': (FILES['content/second.md'] ?? '').replace('"Second"', '"Mine"'),
  })
  const controller = new AbortController()
  let asked = 0
  // The clock is read for the lock, and then for each backup.
  const now = () => {
    if (++asked === 2) controller.abort()
    return new Date('2026-03-01T12:00:00Z')
  }
  const result = await project.pull({ onConflict: 'overwrite', signal: controller.signal, now })
  expect(pullOutcome(result)).toMatchObject({
    failure: 'INTERRUPTED',
    files: [
      'update content/first.md done [title]: overwrites an edit of the file',
      'update content/second.md skipped [title]: the run was stopped',
    ],
  })
  expect(pullOutcome(await project.pull({ onConflict: 'overwrite' }))).toMatchObject({
    files: ['update content/second.md done [title]: overwrites an edit of the file'],
  })
})

test('CRLF, a byte order mark and the file mode are kept', async () => {
  const text = `\uFEFF${FIRST.replaceAll('\n', '\r\n')}`
  const { service, project } = await startSynced({}, { ...FILES, 'content/first.md': text })
  chmodSync(project.path('content/first.md'), 0o640)
  editText(service, 'first', 'Last words.', 'The last words.')
  service.edit('first', { order: 5 })
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 1 })
  expect(project.read('content/first.md')).toBe(
    text.replace('Last words.', 'The last words.').replace('order: 3', 'order: 5'),
  )
  expect(statSync(project.path('content/first.md')).mode & 0o777).toBe(0o640)
})

function backups(project: PullProject): string[] {
  const folder = project.path('.kb/backups')
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
}

test('one more item and an indented line of code: one line each, and the article keeps its style', async () => {
  const body = '* one\n* two\n  * three\n  * four\n\n```py\nif a:\n  b\nc\n```\n\n1) x\n1) y'
  const files = { 'content/page.md': article('Page', { body }) }
  const { service, project } = await startSynced({ extensions: ['update'] }, files)
  const before = project.read('content/page.md')
  editText(service, 'page', '<ul>', '<ul>\n<li>New</li>')
  editText(service, 'page', '\nc\n', '\n    c\n')
  const { content } = service.articleAt('page')
  expect(pullOutcome(await project.pull())).toEqual({
    updated: 1,
    files: ['update content/page.md done [text]'],
  })
  expect(project.read('content/page.md')).toBe(
    before.replace('* one', '* New\n* one').replace('\nc\n', '\n    c\n'),
  )
  await project.sync()
  const sent = service.articleAt('page').content
  expect(sent.replaceAll(/\s*<!--.*-->|\s+(?=<)/g, '')).toBe(content.replaceAll(/\s*<!--.*-->|\s+(?=<)/g, ''))
})
