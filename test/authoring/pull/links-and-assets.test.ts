// URLs of categories, tags and published files become links in the Markdown files again.
import { expect, test } from 'vitest'
import { digest } from '../../../src/core/digest.ts'
import { pngOf } from '../../support/images.ts'
import { startStrictService } from '../../support/strict-service.ts'
import { outcomeOf } from '../../support/sync-project.ts'
import { createPullProject, pullOutcome } from './pull-project.ts'

test('URLs of a category, a tag or a file of ours become links again', async () => {
  const service = await startStrictService({})
  const project = createPullProject(
    service.url,
    {
      'content/_categories.yml': '- { name: Guides, slug: guides }\n',
      'content/_tags.yml': '- { name: Safety, slug: safety }\n',
      'content/in/first.md':
        '---\ntitle: First\ncategories: [Guides]\n---\n\nSee [all](../_categories.yml#guides) and [the form](../form.pdf).\n\nLast words.\n',
      'content/form.pdf': 'form',
      'content/other.pdf': 'other',
      'content/second.md': '---\ntitle: Second\ncategories: [Guides]\n---\n\n[Other](other.pdf)\n',
    },
    { assets: { baseUrl: 'https://files.example.com' } },
  )
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 2 })
  const { content } = service.articleAt('first')
  const form = `https://files.example.com/form-${digest('form').slice(0, 16)}.pdf`
  const other = `https://files.example.com/other-${digest('other').slice(0, 16)}.pdf`
  expect(content).toContain(`<a href="/categories/guides">all</a> and <a href="${form}">the form</a>`)
  const links = ['/categories/guides', '/tags/safety', '/tags/none', other, `${other}#page=2`]
  const edited = links.map((href) => `<a href="${href}">x</a>`).join(' ')
  service.edit('first', { content: content.replace('Last words.', edited) })
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 1 })
  expect(project.read('content/in/first.md')).toContain(
    `See [all](../_categories.yml#guides) and [the form](../form.pdf).\n\n` +
      `[x](../_categories.yml#guides) [x](../_tags.yml#safety) [x](/tags/none) [x](../other.pdf) [x](../other.pdf#page=2)\n`,
  )
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 2, diagnostics: ['link-url-missing'] })
})

test('the URL of a stored file becomes the path of the file', async () => {
  const service = await startStrictService({ extensions: ['update', 'files'] })
  const project = createPullProject(service.url, {
    'content/in/first.md':
      '---\ntitle: First\ncategories: [Guides]\n---\n\n![Big](../big.png) and [the form](../form.pdf).\n\nLast words.\n',
    'content/form.pdf': 'form',
  })
  project.write({ 'content/big.png': pngOf(40_000) })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1 })
  const { content } = service.articleAt('first')
  const [, form = ''] = /href="([^"]*)">the form/.exec(content) ?? []
  expect(form).toMatch(/^\/files\/[\da-f]{64}\.pdf$/)
  service.edit('first', { content: content.replace('Last words.', `<a href="${form}#page=2">Page 2</a>`) })
  expect(pullOutcome(await project.pull())).toMatchObject({ updated: 1 })
  expect(project.read('content/in/first.md')).toContain(
    '![Big](../big.png) and [the form](../form.pdf).\n\n[Page 2](../form.pdf#page=2)\n',
  )
  expect(pullOutcome(await project.pull())).toEqual({ unchanged: 1 })
})
