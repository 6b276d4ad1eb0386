import { readFileSync } from 'node:fs'
import matter from 'gray-matter'
import { expect, test } from 'vitest'
import { createParseFrontMatter } from '../../../src/plugins/docusaurus/plugin.ts'
import {
  DOCUSAURUS_KEYS,
  type FrontMatterParams,
  toDocusaurus,
} from '../../../src/plugins/docusaurus/front-matter.ts'
import { article, configFile, createProject } from '../../support/project.ts'

test("keys get Docusaurus' names", () => {
  const own = {
    title: 'One',
    slug: 'one',
    excerpt: 'About one.',
    order: 3,
    hideFromSearch: true,
    seoBannerUrl: 'https://one.example/banner.png',
    tags: ['a'],
    reviewDate: '2027-01-31',
    status: 'published',
  }
  expect(toDocusaurus(own, 'draft')).toEqual({
    title: 'One',
    slug: 'one',
    description: 'About one.',
    sidebar_position: 3,
    unlisted: true,
    image: 'https://one.example/banner.png',
    tags: ['a'],
    reviewDate: '2027-01-31',
  })
})

test('a key of Docusaurus takes precedence, and drafts stay drafts', () => {
  expect(toDocusaurus({ description: 'Theirs', excerpt: 'Ours', status: 'draft' }, 'published')).toEqual({
    description: 'Theirs',
    draft: true,
  })
  expect(toDocusaurus({ title: 'One' }, 'draft')).toEqual({ title: 'One', draft: true })
  expect(toDocusaurus({ draft: false }, 'draft')).toEqual({ draft: false })
})

test('a key named like a property of every object is an ordinary key', () => {
  expect(toDocusaurus({ constructor: 'a', toString: 'b' }, 'published')).toEqual({
    constructor: 'a',
    toString: 'b',
  })
})

test("files outside the content folder, and those with Docusaurus' names, are not changed", async () => {
  const text = article('One', { excerpt: 'About one.' })
  const project = createProject({
    'kb.config.ts': configFile({ defaults: { status: 'published' } }),
    'content/a/one.md': text,
    'blog/two.md': text,
    'preset/kb.config.ts': configFile({ preset: 'docusaurus' }),
    'preset/docs/three.md': text,
  })
  const parse = createParseFrontMatter({ cwd: project.root, env: {} })
  const defaultParseFrontMatter: FrontMatterParams['defaultParseFrontMatter'] = ({ fileContent }) => {
    const { data, content } = matter(fileContent, {})
    return Promise.resolve({ frontMatter: data, content })
  }
  const parsed = async (name: string) => {
    const { frontMatter } = await parse({
      filePath: project.path(name),
      fileContent: text,
      defaultParseFrontMatter,
    })
    return Object.keys(frontMatter)
  }
  expect(await parsed('content/a/one.md')).toEqual(['title', 'categories', 'description'])
  expect(await parsed('blog/two.md')).toEqual(['title', 'categories', 'excerpt'])
  expect(await parsed('preset/docs/three.md')).toEqual(['title', 'categories', 'excerpt'])
})

test('the guide lists the same keys', () => {
  const guide = readFileSync(new URL('../../../content/automation/docusaurus.md', import.meta.url), 'utf8')
  const [, section = ''] = guide.split('\n## A content folder as docs\n')
  const rows = [...section.matchAll(/^\| `(\w+)` \| `(\w+)` \|$/gm)].map(([, ours, theirs]) => [ours, theirs])
  expect(rows).toEqual(Object.entries(DOCUSAURUS_KEYS))
})
