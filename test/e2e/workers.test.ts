// Many documents are rendered by several threads; what they give must not depend on that.
import { expect, test } from 'vitest'
import { article, createProject, type Files } from '../support/project.ts'
import { startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

const BODIES = [
  'Plain *text* with a [link](page-1.md#a-heading) and `code`.',
  '## A heading\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n- [ ] open',
  'A footnote[^1].\n\n[^1]: Below.\n\n> [!NOTE]\n> Mind this.',
  'Before.\n\n<!-- include: _parts/note.md -->\n\n```js\nlet a = 1\n```',
  '<details><summary>More</summary>\n\nHidden **text**\n\n</details>\n\nUmlauts: äöü €uro 👋',
]

function documents(count: number): Files {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `content/page-${index}.md`,
      article(`Page ${index}`, { body: BODIES[index % BODIES.length] }),
    ]),
  )
}

test('threads and a single thread send the same bytes', async () => {
  const service = await startStrictService({ duplicateSlugs: 'refused-409' })
  const files = {
    ...documents(320),
    'content/_parts/note.md': '## Note\n\nA [link](../page-2.md).\n\n<!-- include: more.md -->\n',
    'content/_parts/more.md': 'More.\n',
  }
  // Run from the sources, everything is rendered in this thread.
  const here = createSyncProject(service.url, files, { markdown: { highlight: true } })
  expect(outcomeOf(await here.sync())).toMatchObject({ created: 320 })
  const config = `export default { project: 'demo', sync: { retries: 0 }, markdown: { highlight: true } }\n`
  const threads = createProject({ ...files, 'kb.config.ts': config })
  const env = { KB_URL: service.url, KB_API_KEY: 'key-of-the-service' }
  const { code, json } = await threads.run(['sync', '--json'], { env })
  expect([code, json]).toMatchObject([0, { summary: { unchanged: 320, replaced: 0, created: 0 } }])
})

const TOOL_BODIES = [
  ':::tip[Mind *this*]\n\nA [link](./page-1.md#a-heading) and `code`.\n\n:::',
  '## A heading {#own}\n\n<Tabs><TabItem label="One">\n\nText {1 + 1} <b className="x">bold</b>\n\n</TabItem></Tabs>',
  'import X from \'./x\'\n\n<X />\n\n```js title="a.js"\nlet a = 1 // highlight-line\n```',
]

test('with a preset as well', async () => {
  const service = await startStrictService({ duplicateSlugs: 'refused-409' })
  const files = Object.fromEntries(
    Array.from({ length: 320 }, (_, index) => [
      `docs/guides/page-${index}.mdx`,
      `---\nsidebar_position: ${index}\ntags: []\n---\n\n# Page ${index}\n\n${TOOL_BODIES[index % 3]?.replace('page-1.md', 'page-1.mdx')}\n`,
    ]),
  )
  const settings = { preset: 'docusaurus', content: 'docs' } as const
  const here = createSyncProject(service.url, files, settings)
  expect(outcomeOf(await here.sync())).toMatchObject({ created: 320 })
  const config = `export default { project: 'demo', preset: 'docusaurus', sync: { retries: 0 } }\n`
  const threads = createProject({ ...files, 'kb.config.ts': config })
  const env = { KB_URL: service.url, KB_API_KEY: 'key-of-the-service' }
  const { code, json } = await threads.run(['sync', '--json'], { env })
  expect([code, json]).toMatchObject([0, { summary: { unchanged: 320, replaced: 0, created: 0 } }])
})
