// Texts nested so deeply that code that walks their tree overflows the stack, and texts with very many problems.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { createProject } from '../../support/project.ts'
import { FRONTMATTER, loadFiles, placesOf } from '../load-files.ts'
import { htmlOf, inputOf, rendererOf } from './renderers.ts'

const LIBRARY = new URL('../../../dist/index.js', import.meta.url).href

/** The result of check-with-small-stack.js. */
interface SmallStack {
  readonly mostArguments: number
  readonly found: number
}

const deep = (levels: number): Readonly<Record<string, string>> => ({
  quotes: `${'> '.repeat(levels)}x`,
  lists: `${'- '.repeat(levels)}x`,
  emphasis: `${'*'.repeat(levels * 2)}x${'*'.repeat(levels * 2)}`,
  elements: '<div>'.repeat(levels),
  'inline elements': `a ${'<b>'.repeat(levels)}x`,
})

describe.each(['native', 'remark'] as const)('with the %s parser', async (parser) => {
  const render = await rendererOf({ parser })

  // The JavaScript parser takes seconds for a text that overflows any stack.
  test.each(Object.entries(deep(parser === 'native' ? 3000 : 600)))(
    '%s that are too deep are a problem',
    (_what, body) => {
      const { problems, html } = render(inputOf(`a\n\n${body}\n`))
      expect(html).toEqual([''])
      expect(problems.map(({ code }) => code)).toEqual(['nested-too-deeply'])
    },
  )

  test.each(Object.entries(deep(220)))('%s of many levels are none', (_what, body) => {
    const rendered = render(inputOf(`${body}\n`))
    expect(rendered.problems.filter(({ code }) => code === 'nested-too-deeply')).toEqual([])
    expect(htmlOf(rendered).length).toBeGreaterThan(500)
  })
})

test('a text may have any number of elements on the deepest level', async () => {
  const render = await rendererOf()
  const html = `${'<div>'.repeat(499)}${'<br>'.repeat(200_000)}${'</div>'.repeat(499)}`
  const rendered = render(inputOf(html))
  expect(rendered.problems.map(({ code }) => code)).toEqual(['file-too-large'])
  expect(htmlOf(rendered) === `${html}\n`).toBe(true)
})

test('a URL of many megabytes is too long, but not nested too deeply', async () => {
  const url = `https://a.example/${'a'.repeat(20_000_000)}`
  const rendered = (await rendererOf())(inputOf(`[x](${url})`))
  expect(rendered.problems.map(({ code }) => code)).toEqual(['url-too-long', 'file-too-large'])
  expect(htmlOf(rendered) === `<p><a href="${url}">x</a></p>\n`).toBe(true)
})

test('too deep nesting is reported at its position, in the file that contains it', async () => {
  const loaded = await loadFiles({
    'a.md': `${FRONTMATTER}<!-- include: _s/deep.md -->\n`,
    'b.md': `${FRONTMATTER.replace('Example', 'B')}a\n\n${'> '.repeat(2000)}x\n`,
    'c.md': `${FRONTMATTER.replace('Example', 'C')}[x](gone.md)\n`,
    '_s/deep.md': `${'> '.repeat(2000)}<!-- include: no.md -->\n`,
    '_categories.yml': `- { name: Guides, slug: guides, longDescription: "${'> '.repeat(2000)}x" }\n`,
  })
  expect(placesOf(loaded)).toEqual([
    '_categories.yml:1:50 nested-too-deeply',
    '_s/deep.md:1:1001 nested-too-deeply',
    'b.md:7:1001 nested-too-deeply',
    'c.md:5:5 link-file-missing',
  ])
})

test('a file may have any number of problems', async () => {
  const count = 45_000
  const { root } = createProject({
    'content/_categories.yml': '- { name: Guides, slug: guides }\n',
    'content/a.md': `${FRONTMATTER}${'[x](gone.md)\n'.repeat(count)}`,
  })
  // With a small stack, fewer problems suffice to make passing them as the arguments of one call fail.
  const worker = new Worker(new URL('check-with-small-stack.js', import.meta.url), {
    workerData: { root, library: LIBRARY },
    resourceLimits: { stackSizeMb: 0.5 },
  })
  const [{ mostArguments, found }] = (await once(worker, 'message')) as [SmallStack]
  expect(mostArguments).toBeLessThan(count)
  expect(found).toBe(count)
})
