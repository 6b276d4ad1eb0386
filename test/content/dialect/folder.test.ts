import { expect, test } from 'vitest'
import { renderDialect } from './rendered.ts'

test('only files with the ending .mdx are MDX', async () => {
  const text = 'import Box from "./box.js"\n\n<Box>\n\nIn *it*\n\n</Box>\n\n{1 + 1}\n'
  const asMdx = await renderDialect('folder', text, 'page.mdx')
  expect(asMdx.html).toBe('<p>In <em>it</em></p>\n')
  expect(asMdx.problems).toEqual(['3:1-3:5 component-removed', '9:1-9:8 expression-removed'])
  const asMarkdown = await renderDialect('folder', text, 'page.md')
  expect(asMarkdown.html).toContain('<p>{1 + 1}</p>')
  expect(asMarkdown.html).toContain('import Box from')
})

test('a path with a space makes no link, which is reported', async () => {
  const text =
    '[VPN](VPN setup.md), ![](screenshot 1.png), [b](<VPN setup.md>), [c](a.md "Page 1.2"), [d](see page 1.2)\n'
  const { problems } = await renderDialect('folder', text)
  expect(problems).toEqual(['1:1-1:20 tool-syntax', '1:22-1:43 tool-syntax'])
})

test('the syntax of a tool is text, and is reported', async () => {
  const { html, problems } = await renderDialect('folder', '!!! note\n    Text.\n')
  expect(html).toBe('<p>!!! note\nText.</p>\n')
  expect(problems).toEqual(['1:1-1:9 tool-syntax'])
})
