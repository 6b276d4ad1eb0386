// Text from right to left. An article is content only: the page that shows it sets its direction from its language; what
// an author says of a part of it is kept. On a terminal no text may turn what stands around it.
import { expect, test } from 'vitest'
import { loadFiles } from '../content/load-files.ts'
import { article, configFile, createProject } from '../support/project.ts'

const BODY = `<p dir="rtl" lang="ar">نص</p>

A name: <bdi>إيان</bdi>, <span dir="ltr" lang="en">x</span>, <bdo dir="rtl">abc</bdo>.`

test.each(['native', 'remark'] as const)(
  'what an author says of direction and language is kept by the %s parser',
  async (parser) => {
    const { html, diagnostics } = await loadFiles(
      { 'a.md': article('A', { body: BODY }) },
      { markdown: { parser, remarkPlugins: [], allow: {} } },
    )
    expect({ html, diagnostics }).toEqual({ html: { 'a.md': `${BODY_AS_SENT}\n` }, diagnostics: [] })
  },
)

const BODY_AS_SENT = `<p dir="rtl" lang="ar">نص</p>
<p>A name: <bdi>إيان</bdi>, <span dir="ltr" lang="en">x</span>, <bdo dir="rtl">abc</bdo>.</p>`

test('an article in Arabic is sent as it is written, marks of direction too', async () => {
  const body = 'نص عربي مع `kb sync` و\u2067English\u2069 و\u200f(قوسين).'
  const { html } = await loadFiles({ 'a.md': article('مقال', { language: 'ar', body }) })
  expect(html).toEqual({ 'a.md': `<p>${body.replace(/`(.*)`/, '<code>$1</code>')}</p>\n` })
})

test('marks of direction in names, titles and problems are shown and not obeyed', async () => {
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo' }),
    'content/_categories.yml': '- name: Guides\n',
    'content/\u202egnp.md': article('\u202eTitle\u2066', { body: '[\u202ehere](\u202emissing.md)' }),
    'content/מאמר.md': article('מאמר'),
  })
  const outputs = [await project.kb('check'), await project.kb('check', '--format', 'github')]
  project.write({ 'content/\u202egnp.md': article('\u202eTitle\u2066', { slug: 'gnp' }) })
  outputs.push(await project.kb('sync', '--verbose'), await project.kb('plan', '--json'))
  for (const { stdout, stderr } of outputs)
    expect(`${stdout}${stderr}`).not.toMatch(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
  expect(outputs[0]?.stdout).toContain(String.raw`content/\u{202e}gnp.md`)
  // Letters that run from right to left by themselves are left alone.
  expect(outputs[2]?.stdout).toContain('מאמר.md')
})
