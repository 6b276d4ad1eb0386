// Comments that disable a rule for some lines: their effect on problems and on what is sent.
import { expect, test } from 'vitest'
import { type Files, FRONTMATTER, loadFiles, placesOf } from '../load-files.ts'
import { renderDialect } from '../dialect/rendered.ts'

const RULES = { 'bare-url': 'warning', 'image-alt-missing': 'warning' } as const
const URL = 'https://a.example/'

const placesIn = async (files: Files) => placesOf(await loadFiles(files, { rules: RULES }))
const article = (...lines: readonly string[]) => ({ 'a.md': `${FRONTMATTER}${lines.join('\n')}\n` })

test('the next non-blank line; the line after that is checked', async () => {
  const comment = '<!-- kb-ignore-next-line bare-url -->'
  expect(await placesIn(article(comment, URL))).toEqual([])
  expect(await placesIn(article(comment, '', '', URL, URL))).toEqual(['a.md:9:1 bare-url'])
  expect(await placesIn(article(comment, '', '![](gone.png)', URL))).toEqual([
    'a.md:5:1 ignore-unused',
    'a.md:7:1 image-alt-missing',
    'a.md:7:5 asset-missing',
    'a.md:8:1 bare-url',
  ])
})

test('comments of several lines, and without a space', async () => {
  const comments = [
    '<!-- kb-ignore-next-line',
    'image-alt-missing -->',
    '<!--kb-ignore-next-line',
    'asset-missing:',
    'soon-->',
  ]
  expect(await placesIn(article(...comments, '![](gone.png)'))).toEqual([])
})

test('several rules, with a reason, and comments below each other', async () => {
  const image = '![](gone.png)'
  const one = '<!-- kb-ignore-next-line image-alt-missing, asset-missing: it is added: soon -->'
  expect(await placesIn(article(one, image))).toEqual([])
  const [first, second] = ['image-alt-missing', 'asset-missing'].map(
    (code) => `<!-- kb-ignore-next-line ${code} -->`,
  )
  expect(await placesIn(article(`${first}`, `${second}`, image))).toEqual([])
})

test('a block, in lists, quotes and HTML as well; nothing outside it', async () => {
  const start = '<!-- kb-ignore-start bare-url -->'
  const end = '<!-- kb-ignore-end bare-url -->'
  expect(await placesIn(article(URL, '', start, '', URL, '', `- ${URL}`, '', end, '', URL))).toEqual([
    'a.md:5:1 bare-url',
    'a.md:15:1 bare-url',
  ])
  expect(await placesIn(article(`> ${start}`, `> ${URL}`, `> ${end}`))).toEqual([])
  expect(await placesIn(article(`- ${URL} ${start}`, `  ${URL} ${end}`))).toEqual([])
  expect(await placesIn(article('<div>', start, '<img src="https://a.example/b">', end, '</div>'))).toEqual([
    'a.md:6:1 ignore-unused',
    'a.md:7:1 image-alt-missing',
  ])
})

test('a block in a block for the same rule is a problem; the outer one applies', async () => {
  const [start, end] = ['start', 'end'].map((form) => `<!-- kb-ignore-${form} bare-url -->`) as [
    string,
    string,
  ]
  const files = article(start, '', URL, '', start, '', URL, '', end, '', URL)
  expect(await placesIn(files)).toEqual(['a.md:9:1 ignore-invalid', 'a.md:15:1 bare-url'])
  const included = { '_s.md': `${start}\n\n${URL}\n\n${end}\n` }
  expect(
    await placesIn({ ...article(start, '', '<!-- include: _s.md -->', '', URL, '', end), ...included }),
  ).toEqual([])
})

test('in a long description, no line can be ignored', async () => {
  const description = '<!-- kb-ignore-next-line link-file-missing -->\n[gone](gone.md)'
  const categories = `- name: Guides\n  slug: guides\n  longDescription: ${JSON.stringify(description)}\n`
  const { diagnostics } = await loadFiles({ ...article('Text'), '_categories.yml': categories })
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['ignore-invalid', 'A comment in a long description cannot ignore link-file-missing.'],
    ['link-file-missing', 'There is no article "gone.md".'],
  ])
})

test('an ignored error no longer holds the article back, unless it cannot be sent correctly', async () => {
  const { diagnostics, html } = await loadFiles(
    article('<!-- kb-ignore-next-line link-file-missing -->', '[gone](gone.md)'),
  )
  expect([diagnostics, html['a.md']]).toEqual([[], '<p><a href="gone.md">gone</a></p>\n'])
  const problem = await loadFiles(
    article('<!-- kb-ignore-next-line include-missing -->', '<!-- include: _b.md -->'),
  )
  expect(problem.diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['ignore-invalid', 'The problem include-missing is no rule and cannot be ignored.'],
    ['include-missing', 'There is no file "_b.md" to include.'],
  ])
})

test.each([
  ['kb-ignore bare-url', 'There is no comment "kb-ignore".'],
  ['kb-ignore-nextline bare-url', 'There is no comment "kb-ignore-nextline".'],
  ['kb-ignore-next-line', 'The comment names no rule.'],
  ['kb-ignore-next-line: why', 'The comment names no rule.'],
  ['kb-ignore-next-line bareurl', 'There is no rule "bareurl".'],
  ['kb-ignore-next-line toString', 'There is no rule "toString".'],
  ['kb-ignore-start bare-url', 'The comment has no end.'],
  ['kb-ignore-end bare-url', 'The comment ends nothing.'],
])('<!-- %s --> is a problem', async (comment, message) => {
  const { diagnostics } = await loadFiles(article(`Words <!-- ${comment} --> words.`))
  expect(diagnostics.map((each) => [each.code, each.column, each.message])).toEqual([
    ['ignore-invalid', 7, message],
  ])
})

test('they are not sent, and in code they are text', async () => {
  const comment = '<!-- kb-ignore-next-line bare-url -->'
  const { html, diagnostics } = await loadFiles(
    article(
      '# Example',
      '',
      `One`,
      '',
      comment,
      '',
      `Two <${URL}> ${comment}`,
      '',
      `\`${comment}\``,
      '',
      '```',
      comment,
      '```',
    ),
    { rules: { ...RULES, 'ignore-unused': 'off' } },
  )
  expect(html['a.md']).toBe(
    `<p>One</p>\n<p>Two <a href="${URL}">${URL}</a> </p>\n` +
      '<p><code>&#x3C;!-- kb-ignore-next-line bare-url --></code></p>\n' +
      '<pre><code>&#x3C;!-- kb-ignore-next-line bare-url -->\n</code></pre>\n',
  )
  expect(diagnostics).toEqual([])
})

test('comments of a snippet apply to the snippet, once for all articles', async () => {
  const snippet = '<!-- kb-ignore-next-line bare-url -->\n'
  const files = (text: string) => ({
    'a.md': `${FRONTMATTER}\n<!-- include: _s.md -->\n`,
    'b.md': `${FRONTMATTER.replace('Example', 'Other')}\n<!-- include: _s.md -->\n\n${URL}\n`,
    '_s.md': text,
  })
  expect(await placesIn(files(`${snippet}${URL}\n`))).toEqual(['b.md:8:1 bare-url'])
  expect(await placesIn(files(snippet))).toEqual(['_s.md:1:1 ignore-unused', 'b.md:8:1 bare-url'])
})

test('comments of an article with an error are not reported as unused', async () => {
  const text = '<!-- kb-ignore-next-line bare-url -->\nText\n'
  expect(await placesIn({ 'a.md': `---\ntitle: [A]\ncategories: [Guides]\n---\n${text}` })).toEqual([
    'a.md:2:8 frontmatter-value',
  ])
})

test('external links are checked only on request, so their comments may stay', async () => {
  expect(await placesIn(article('<!-- kb-ignore-next-line link-external-broken -->', `<${URL}>`))).toEqual([])
})

test('in MDX, they are MDX comments', async () => {
  const text = '{/* kb-ignore-next-line nope */}\n\nOne {/* kb-ignore-start nope */} two.\n'
  const { html, problems } = await renderDialect('docusaurus', text, 'page.mdx')
  expect(html).toBe('<p>One  two.</p>\n')
  expect(problems).toEqual(['1:2-1:32 ignore-invalid', '3:6-3:32 ignore-invalid'])
  const comment = await renderDialect('docusaurus', '<!-- kb-ignore-next-line nope -->\n\nOne.\n', 'page.md')
  expect(comment.problems).toEqual(['1:1-1:34 ignore-invalid'])
})
