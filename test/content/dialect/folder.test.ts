import { expect, test } from 'vitest'
import { loadRenderer } from '../../../src/content/pipeline/create-compiler.ts'
import { resolveParser } from '../../../src/content/parser/resolve-parser.ts'
import type { MarkdownOptions } from '../../../src/content/markdown/rendered-body.ts'
import { inputOf } from '../markdown/renderers.ts'
import { renderDialect } from './rendered.ts'

test('only .mdx files are MDX', async () => {
  const text = 'import Box from "./box.js"\n\n<Box>\n\nIn *it*\n\n</Box>\n\n{1 + 1}\n'
  const asMdx = await renderDialect('folder', text, 'page.mdx')
  expect(asMdx.html).toBe('<p>In <em>it</em></p>\n')
  expect(asMdx.problems).toEqual(['3:1-3:5 component-removed', '9:1-9:8 expression-removed'])
  const asMarkdown = await renderDialect('folder', text, 'page.md')
  expect(asMarkdown.html).toContain('<p>{1 + 1}</p>')
  expect(asMarkdown.html).toContain('import Box from')
})

test('a path with a space is not a link, which is reported', async () => {
  const text =
    '[VPN](VPN setup.md), ![](screenshot 1.png), [b](<VPN setup.md>), [c](a.md "Page 1.2"), [d](see page 1.2)\n'
  const { problems } = await renderDialect('folder', text)
  expect(problems).toEqual(['1:1-1:20 tool-syntax', '1:22-1:43 tool-syntax'])
})

test('syntax of tools is text, and is reported', async () => {
  const { html, problems } = await renderDialect('folder', '!!! note\n    Text.\n')
  expect(html).toBe('<p>!!! note\nText.</p>\n')
  expect(problems).toEqual(['1:1-1:9 tool-syntax'])
})

test.each(['native', 'remark'] as const)(
  'without files of MDX, %s renders the same with its parsers left out',
  async (parser) => {
    const options: MarkdownOptions = { dialect: 'folder', parser, remarkPlugins: [], allow: {} }
    const resolved = await resolveParser(options)
    const [all, plain] = await Promise.all([
      loadRenderer(options, resolved),
      loadRenderer(options, resolved, false),
    ])
    const text = '# A\n\nimport x from "y"\n\n:::note\n\n<Box>\n\nIn *it* {1 + 1}\n\n</Box>\n\n:::\n'
    const input = { ...inputOf(text), source: 'page.md', data: {} }
    expect(plain(input)).toEqual(all(input))
  },
)
