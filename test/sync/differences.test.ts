// The output of kb plan --diff: who changed what since the last sync, in fields and in text.
import pc from 'picocolors'
import { expect, test } from 'vitest'
import { formatSyncResult } from '../../src/cli/results/format-sync-result.ts'
import { formatSyncJson } from '../../src/cli/results/format-sync-json.ts'
import type { SyncContentOptions } from '../../src/sync/sync-options.ts'
import { article, type Files } from '../support/project.ts'
import { type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, type SyncProject } from '../support/sync-project.ts'

const BODY = `First paragraph, "quoted" & *stressed*. Its second sentence.

- one
- two

Last [link](https://example.com/a "b").`

async function startSynced(habits?: ServiceHabits, files: Files = {}) {
  const service = await startStrictService(habits)
  const project = createSyncProject(service.url, {
    'content/page.md': article('Page', { body: BODY }),
    'content/other.md': article('Other'),
    ...files,
  })
  await project.sync()
  service.forget()
  return { service, project }
}

const write = (project: SyncProject, frontmatter: object, body = BODY) =>
  project.write({ 'content/page.md': article('Page', { body, ...frontmatter }) })

/** The output of kb plan --diff, without the counts at the end. */
async function show(project: SyncProject, options: Partial<SyncContentOptions> = {}): Promise<string> {
  const result = await project.plan({ diff: true, ...options })
  const terminal = { colors: pc.createColors(false), columns: 80 }
  const shown = { root: project.root, contentRoot: project.path('content') }
  const format = { dryRun: true, verbose: false, quiet: false, project: shown }
  const text = formatSyncResult(result, format, terminal)
  return text.slice(0, text.search(/\n(?: {2}hint:|Articles)/))
}

test('changes in the file are shown; creates and deletes have only one line', async () => {
  const { service, project } = await startSynced()
  write(project, { title: 'Page, renamed', order: 3 }, BODY.replace('- two', '- two and a half'))
  project.write({ 'content/new.md': article('New') })
  project.remove('content/other.md')
  const countReads = async (options: Partial<SyncContentOptions>) => {
    service.forget()
    await project.plan({ prune: true, ...options })
    return service.requests.length
  }
  expect(await show(project, { prune: true })).toBe(`\
  + create   new.md
  ~ replace  page.md
      fields: changed in the file
        title: Page -> Page, renamed
        order: 0 -> 3
      text: changed in the file
        @@ -2,6 +2,6 @@
          Its second sentence.

          - one
        - - two
        + - two and a half

          Last [link](https://example.com/a "b").
  - delete   other.md (its file is gone)
`)
  expect((await countReads({ diff: true })) - (await countReads({}))).toBe(1)
})

test('edits on the target are shown as what the file would undo', async () => {
  const { service, project } = await startSynced()
  const { content } = service.articleAt('page')
  service.edit('page', {
    title: 'Page, edited',
    tagIds: service.tags().map(({ id }) => id),
    reviewDate: '9999-12-31',
    content: content.replace('one', 'one and a half'),
  })
  expect(await show(project, { verify: true })).toBe(`\
  ! conflict page.md (it was edited on the target)
      fields: edited on the target
        title: Page, edited -> Page
        tags: Safety -> (none)
      text: edited on the target
        @@ -1,7 +1,7 @@
          First paragraph, "quoted" & *stressed*.
          Its second sentence.

        - - one and a half
        + - one
          - two

          Last [link](https://example.com/a "b").
`)
})

test('changes on both sides are distinguished from changes on one', async () => {
  const { service, project } = await startSynced()
  const { content } = service.articleAt('page')
  service.edit('page', { title: 'Page, edited', content: content.replace('one', '1') })
  write(project, {}, BODY.replace('two', '2'))
  expect(await show(project)).toBe(`\
  ! conflict page.md (it was edited on the target)
      fields: edited on the target
        title: Page, edited -> Page
      text: changed on both sides
        @@ -1,7 +1,7 @@
          First paragraph, "quoted" & *stressed*.
          Its second sentence.

        - - 1
        - - two
        + - one
        + - 2

          Last [link](https://example.com/a "b").
`)
  write(project, { order: 2 })
  expect(await show(project, { onConflict: 'overwrite' })).toMatch(
    `\
  ~ replace  page.md (overwrites an edit made on the target)
      fields: changed on both sides
        title: Page, edited -> Page
        order: 0 -> 2
      text: edited on the target
`,
  )
})

test.each<[string, ServiceHabits]>([
  ['rewrites HTML', { rewritesHtml: true }],
  ['strips comments', { stripsComments: true }],
  ['does both, and leaves out what it can', { rewritesHtml: true, stripsComments: true, isSparse: true }],
  ['updates in place', { rewritesHtml: true, extensions: ['update'] }],
])('a target that %s has no different text', async (_, habits) => {
  const files = { 'content/page.md': article('Page', { body: `${BODY}\n\n${CODE}` }) }
  const { project } = await startSynced(habits, files)
  write(project, { order: 1 }, `${BODY}\n\n${CODE}`)
  const { operations } = await project.plan({ diff: true })
  expect(operations.map(({ diff }) => diff)).toEqual([
    {
      fields: [{ field: 'order', target: 0, file: 1 }],
      text: '',
      isOnlyMarkup: true,
      changedBy: { fields: 'file', text: 'nobody' },
    },
  ])
})

const CODE = "```js\nif (a < b) {\n  call('x')\n\n}\n```\n\n| a | b |\n|---|---|\n| 1; 2 | it’s |"

test('a change that does not affect the words is named as such', async () => {
  const { project } = await startSynced()
  write(project, {}, BODY.replace('"b"', '"c"'))
  expect(await show(project)).toBe(`\
  ~ replace  page.md
      text: changed in the file (only the markup differs, not the words)
        @@ -4,4 +4,4 @@
          - one
          - two

        - Last [link](https://example.com/a "b").
        + Last [link](https://example.com/a "c").
`)
})

test('an empty difference is explained', async () => {
  const { project } = await startSynced()
  write(project, {}, BODY.replace('Last [', 'Last  ['))
  expect(await show(project)).toBe(`\
  ~ replace  page.md
      no field or text differs, only markup that Markdown cannot represent
`)
})

test('an article that is not managed is compared, too', async () => {
  const { service, project } = await startSynced()
  service.add({ title: 'By hand', slug: 'new', content: '<h2>By hand</h2>', categoryIds: ['id-2'] })
  project.write({ 'content/new.md': article('New') })
  expect(await show(project)).toBe(`\
  ! conflict new.md (the slug belongs to an article that kb-sync did not create)
      fields: the article on the target is not managed by this project
        title: By hand -> New
        excerpt: (none) -> Text of New.
        reviewDate: 2027-01-01 -> 2026-08-28
        categories: Accounts -> Guides
      text: the article on the target is not managed by this project
        @@ -1,1 +1,1 @@
        - ## By hand
        + Text of New.
`)
})

test('a restarted default review date is not an edit', async () => {
  const { project } = await startSynced()
  write(project, {}, BODY.replace('Last', 'Final'))
  expect(await show(project, { now: () => new Date('2026-04-01T00:00:00Z') })).toContain(`\
      fields: the default review date is recalculated
        reviewDate: 2026-08-28 -> 2026-09-28
`)
})

test('foreign operations are shown but never executed', async () => {
  const { service, project } = await startSynced()
  const { content } = service.articleAt('page')
  service.edit('page', {
    title: 'Red \u001b[31m \u202eover\nthere',
    content: content.replace('one', 'one \u001b[2J\u0007'),
  })
  const text = await show(project, { verify: true })
  expect(text).toContain('title: Red \\u{1b}[31m \\u{202e}over there -> Page\n')
  expect(['\u0007', '\u001b', '\u202e'].filter((char) => text.includes(char))).toEqual([])
})

test('long and wide values are wrapped within the terminal', async () => {
  const { project } = await startSynced()
  write(
    project,
    { excerpt: '知識ベースの記事'.repeat(12) },
    BODY.replace('- two', `- ${'word '.repeat(40)}end`),
  )
  const lines = (await show(project)).split('\n')
  expect(lines.filter((line) => line.includes('知')).map((line) => line.length)).toEqual([44, 46, 40])
  expect(lines.filter((line) => line.includes('word')).every((line) => line.length <= 80)).toBe(true)
  expect(lines.find((line) => line.includes('end'))).toMatch(/^ {8}\+ {3}(word )+end$/)
})

test('the JSON document contains the difference of each operation', async () => {
  const { project } = await startSynced()
  write(project, { tags: [], order: 4 }, BODY.replace('- two', '- three'))
  project.write({ 'content/new.md': article('New') })
  const { operations } = JSON.parse(formatSyncJson(await project.plan({ diff: true }))) as {
    operations: readonly { readonly source: string; readonly diff?: unknown }[]
  }
  const text =
    '@@ -2,6 +2,6 @@\n Its second sentence.\n \n - one\n-- two\n+- three\n \n Last [link](https://example.com/a "b").\n'
  expect(operations.map(({ source, diff }) => ({ source, diff }))).toEqual([
    { source: 'new.md', diff: undefined },
    {
      source: 'page.md',
      diff: {
        fields: [{ field: 'order', target: 0, file: 4 }],
        text,
        isOnlyMarkup: false,
        changedBy: { fields: 'file', text: 'file' },
      },
    },
  ])
})
