// Remark plugins of the configuration.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'unified'
import type { VFile } from 'vfile'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import { contentFolder, FRONTMATTER, loadFiles, loadFolder } from '../load-files.ts'

const GUIDE = fileURLToPath(new URL('../../../content/writing/markdown.md', import.meta.url))

const withPlugin = (plugin: Plugin) => ({
  markdown: { parser: 'native' as const, remarkPlugins: [plugin], allow: {} },
})

test('the plugin in the guide works, including on included text', async () => {
  const sample = [...readFileSync(GUIDE, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].find(([, text]) =>
    text?.includes('fillIn'),
  )
  const root = contentFolder({
    'kb.config.ts': sample?.[1] ?? '',
    'content/a.md': `${FRONTMATTER}Version %version%, \`%version%\`.\n\n> <!-- include: _x.md -->\n`,
    'content/_x.md': '---\nx: 1\n---\n*%version%* and\n%other%\n',
  })
  const { render } = await loadConfig({ cwd: root })
  const { html, diagnostics } = await loadFolder(join(root, 'content'), { markdown: render })
  expect(html).toEqual({
    'a.md':
      '<p>Version 2.4, <code>%version%</code>.</p>\n<blockquote>\n<p><em>2.4</em> and\n%other%</p>\n</blockquote>\n',
  })
  expect(diagnostics).toEqual([
    {
      code: 'plugin-message',
      severity: 'warning',
      file: '_x.md',
      line: 4,
      column: 12,
      end: { line: 5, column: 8 },
      message: 'Nothing is known as %other%. (fill-in)',
    },
  ])
})

test.each([
  [
    'throws',
    () => () => {
      throw new Error('no such thing')
    },
    'no such thing',
  ],
  ['gives up on the file', () => (_tree: unknown, file: VFile) => file.fail('not this one'), 'not this one'],
])('a failure names the file: %s', async (_name, plugin, reason) => {
  await expect(loadFiles({ 'guides/a.md': `${FRONTMATTER}a\n` }, withPlugin(plugin))).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(`A plugin of markdown.remarkPlugins failed on guides/a.md: ${reason}`),
  })
})

test('a message can have a rule and a URL, but no position', async () => {
  const plugin = () => (_tree: unknown, file: VFile) => {
    file.message('Mind this', { source: 'own', ruleId: 'rule' }).url = 'https://example.com/rule'
  }
  const { diagnostics } = await loadFiles({ 'a.md': `${FRONTMATTER}a\n` }, withPlugin(plugin))
  expect(diagnostics).toMatchObject([
    {
      file: 'a.md',
      line: 5,
      column: 1,
      message: 'Mind this (own:rule)',
      hint: 'See https://example.com/rule',
    },
  ])
})
