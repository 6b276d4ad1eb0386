// Edits made on the target, written in the syntax of the tool that the files belong to.
import { expect, test } from 'vitest'
import type { KbConfig } from '../../../src/core/config/schema.ts'
import type { Files } from '../../support/project.ts'
import { startStrictService } from '../../support/strict-service.ts'
import { outcomeOf } from '../../support/sync-project.ts'
import { createPullProject, pullOutcome } from './pull-project.ts'

async function startSynced(config: KbConfig, files: Files) {
  const service = await startStrictService()
  const project = createPullProject(service.url, files, { content: 'content', ...config })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: Object.keys(files).length })
  service.forget()
  return { service, project }
}

const ONE = `---
sidebar_position: 2
---

# One

Text of *one*.

Last words.
`

test('fields are written to the keys of the tool, and a title to the heading that it comes from', async () => {
  const { service, project } = await startSynced({ preset: 'docusaurus' }, { 'content/guides/one.md': ONE })
  const { content } = service.articleAt('guides-one')
  service.edit('guides-one', {
    title: 'The first',
    excerpt: 'Short.',
    order: 7,
    status: 'draft',
    content: content.replace('Last words', 'New words'),
  })
  expect(pullOutcome(await project.pull())).toEqual({
    updated: 1,
    files: ['update content/guides/one.md done [title+excerpt+order+status+text]'],
  })
  expect(project.read('content/guides/one.md')).toBe(`---
sidebar_position: 7
draft: true
description: Short.
---

# The first

Text of *one*.

New words.
`)
  expect(await project.check()).toEqual([])
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 1 })
})

test.each([
  ['docusaurus', 'One', '---\ntitle: T\n---\n\n# One\n\nText.\n', '---\ntitle: T\n---\n\n# New\n\nText.\n'],
  [
    'vitepress',
    'One',
    '---\ntitle: One\n---\n\n# One\n\nText.\n',
    '---\ntitle: New\n---\n\n# New\n\nText.\n',
  ],
  ['mkdocs', 'T', '---\ntitle: T\n---\n\nText.\n\n# One\n', '---\ntitle: New\n---\n\nText.\n\n# One\n'],
] as const)(
  '%s shows a heading at the start, not the title in the frontmatter: %s',
  async (preset, title, text, pulled) => {
    const { service, project } = await startSynced({ preset }, { 'content/guides/one.md': text })
    expect(service.articleAt('guides-one').title).toBe(title)
    service.edit('guides-one', { title: 'New' })
    await project.pull()
    expect(project.read('content/guides/one.md')).toBe(pulled)
    expect(pullOutcome(await project.pull())).toEqual({ unchanged: 1 })
  },
)

test('a title is written to the frontmatter if the heading that it comes from is also sent', async () => {
  const written = '# [One](https://e.example/)\n\nText.\n'
  const { service, project } = await startSynced({ preset: 'folder' }, { 'content/guides/one.md': written })
  service.edit('guides-one', { title: 'The first' })
  expect(pullOutcome(await project.pull())).toEqual({
    updated: 1,
    files: ['update content/guides/one.md done [title]'],
  })
  expect(project.read('content/guides/one.md')).toBe(`---\ntitle: The first\n---\n\n${written}`)
})

test('TOML and a file without frontmatter also accept edits', async () => {
  const files: Files = {
    'content/guides/one.md': '+++\ntitle = "One"\n[params]\nx = 1\n+++\nText of one.\n',
    'content/guides/two.md': 'Text of two.\n',
  }
  const { service, project } = await startSynced({ preset: 'hugo' }, files)
  service.edit('guides-one', { title: 'First', order: 3 })
  service.edit('guides-two', { excerpt: 'Short.' })
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 2 })
  expect(project.contents()).toMatchObject({
    'guides/one.md': '+++\ntitle = "First"\nweight = 3\n[params]\nx = 1\n+++\nText of one.\n',
    'guides/two.md': '---\ndescription: Short.\n---\n\nText of two.\n',
  })
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
})

test('a link to a folder that became a category stays as its author wrote it', async () => {
  const first = '[start](/guides/), [again]({{< ref "guides" >}}) and'
  const { service, project } = await startSynced(
    { preset: 'hugo' },
    {
      'content/guides/other.md': `---\ntitle: Other\n---\n\nSee ${first} this.\n\n[Up](../).\n`,
      'content/guides/one.md': '---\ntitle: One\n---\n\nText.\n',
    },
  )
  const { content } = service.articleAt('guides-other')
  expect(content.match(/href="[^"]*"/g)).toEqual(Array(3).fill('href="/categories/guides"'))
  service.edit('guides-other', { content: content.replace('this', 'that') })
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 1 })
  expect(project.read('content/guides/other.md')).toBe(
    `---\ntitle: Other\n---\n\nSee ${first} that.\n\n[Up](../).\n`,
  )
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
})

test('an edited paragraph keeps its shortcodes, and JSON everything unchanged', async () => {
  const head = `{\n    "title": "Two", "aliases": ["a"],\n    "x": 1.0\n}\n`
  const link = '[start]({{< relref "start" >}})'
  const files: Files = {
    'content/guides/start.md': '---\ntitle: Start\n---\nText.\n',
    'content/guides/two.md': `${head}\nFirst see ${link} or press {{< kbd "F1" >}}.\n\nThen ${link}.\n`,
  }
  const { service, project } = await startSynced({ preset: 'hugo' }, files)
  const { content } = service.articleAt('guides-two')
  service.edit('guides-two', { title: 'Three', content: content.replace('First', 'EDITED. First') })
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 1 })
  expect(project.read('content/guides/two.md')).toBe(
    (files['content/guides/two.md'] as string).replace('Two', 'Three').replace('First', 'EDITED. First'),
  )
  expect(pullOutcome(await project.pull())).toMatchObject({ unchanged: 2 })
})

test('tool syntax without a place in the new text is reported', async () => {
  const file = '---\ntitle: Two\n---\nPress {{< kbd "F1" >}} twice.\n'
  const { service, project } = await startSynced({ preset: 'hugo' }, { 'content/guides/two.md': file })
  const { content } = service.articleAt('guides-two')
  service.edit('guides-two', { content: content.replace(/<p>.*<\/p>/, '<ul><li>Wait</li></ul>') })
  expect((await project.pull()).files).toMatchObject([
    { outcome: 'done', lost: [`the file's own {{< kbd "F1" >}}`] },
  ])
  expect(project.read('content/guides/two.md')).toBe('---\ntitle: Two\n---\n- Wait\n')
})

test('with a one-way function, the file keeps what cannot be written, and the pull reports it', async () => {
  const config: KbConfig = { frontmatter: ({ heading, ...rest }) => ({ ...rest, title: heading }) }
  const file = '---\nheading: One\ncategories: [Guides]\nstatus: published\n---\n\nText of one.\n'
  const { service, project } = await startSynced(config, { 'content/one.md': file })
  service.edit('one', { title: 'First', order: 3 })
  const result = await project.pull()
  expect(result.files).toMatchObject([
    {
      action: 'conflict',
      outcome: 'skipped',
      reason: 'frontmatter in kb.config.ts has no write for its title',
    },
  ])
  expect(project.read('content/one.md')).toBe(file)
})
