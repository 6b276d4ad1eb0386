// Included text is never written into an article.
import { expect, test } from 'vitest'
import { article } from '../../support/project.ts'
import { startStrictService } from '../../support/strict-service.ts'
import { outcomeOf } from '../../support/sync-project.ts'
import { createPullProject, pullOutcome } from './pull-project.ts'

const FILES = {
  'content/page.md': article('Page', {
    body: '# Page\n\nOwn text.\n\n<!-- include: /_parts/a.md -->',
    order: 1,
  }),
  'content/other.md': article('Other', { body: 'Other text.' }),
  'content/_parts/a.md': 'Of a.\n\n<!-- include: b.md -->\n',
  'content/_parts/b.md': 'Of b.\n',
}

async function startSynced() {
  const service = await startStrictService({ extensions: ['update'] })
  const project = createPullProject(service.url, FILES)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 2 })
  service.forget()
  return { service, project, before: project.contents() }
}

const REASON =
  'it includes _parts/a.md and 1 more: make the same edit there or in the article by hand, then run kb sync --on-conflict overwrite'

test.each(['fail', 'skip', 'overwrite'] as const)(
  'an edit of the text is a conflict: %s',
  async (onConflict) => {
    const { service, project, before } = await startSynced()
    const { content } = service.articleAt('page')
    service.edit('page', { content: content.replace('Of a.', 'Edited.'), order: 2 })
    service.edit('other', { content: service.articleAt('other').content.replace('Other text.', 'New text.') })
    expect(pullOutcome(await project.pull({ onConflict }))).toMatchObject({
      files: [
        'update content/other.md done [text]',
        `conflict content/page.md skipped [order+text]: ${REASON}`,
      ],
    })
    expect(project.contents()).toEqual({
      ...before,
      'other.md': before['other.md']?.replace('Other text.', 'New text.'),
    })

    // As the reason advises: the edit is made by hand, and the version on the target is replaced.
    project.write({ 'content/_parts/a.md': 'Edited.\n\n<!-- include: b.md -->\n' })
    expect(outcomeOf(await project.sync({ onConflict: 'overwrite' }))).toMatchObject({ updated: 2 })
    expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
  },
)

test('fields are taken, a title together with the heading that repeats it', async () => {
  const { service, project, before } = await startSynced()
  service.edit('page', { title: 'New title', order: 2 })
  expect(pullOutcome(await project.pull())).toEqual({
    updated: 1,
    unchanged: 1,
    files: ['update content/page.md done [title+order]'],
  })
  expect(project.contents()).toEqual({
    ...before,
    'page.md': before['page.md']
      ?.replace('title: "Page"', 'title: "New title"')
      .replace('# Page', '# New title')
      .replace('order: 1', 'order: 2'),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ unchanged: 1 })
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2 })
})

test('no text from the target can include a file', async () => {
  const { service, project } = await startSynced()
  const text = '<p>&lt;!-- include: /_parts/a.md --&gt;</p><!-- include: /_parts/a.md --><p>end</p>'
  service.edit('other', { content: service.articleAt('other').content.replace('<p>Other text.</p>', text) })
  await project.pull({ onConflict: 'overwrite' })
  await project.sync()
  expect(service.articleAt('other').content).not.toContain('Of a.')
  expect(service.articleAt('other').content).toContain('include: /_parts/a.md')
})
