// Highlighted code: spans with Prism's classes, and no other difference.
import { describe, expect, test } from 'vitest'
import { mergeBody } from '../../../src/authoring/body/merge-body.ts'
import { htmlToMarkdown } from '../../../src/content/from-html/html-to-markdown.ts'
import { htmlOf, inputOf, realMarkdown, rendererOf, turn } from './renderers.ts'

const plain = await rendererOf()
const coloured = await rendererOf({ highlight: true })
const html = (body: string): string => htmlOf(coloured(inputOf(body)))

test('tokens of code with a language get classes', () => {
  expect(html('```js title="x"\nlet a = "<b>"\n```\n')).toBe(
    '<pre><code class="language-js"><span class="token keyword">let</span> a <span class="token operator">=</span> ' +
      '<span class="token string">"&#x3C;b>"</span>\n</code></pre>\n',
  )
})

const KNOWN = 'JS ts tsx yml dockerfile http toml powershell html sh console diff jsonc c++ C# py php'.split(
  ' ',
)

test.each(KNOWN)('the language %s is known', (language) => {
  const code = 'GET / HTTP/1.1\nFROM "a" # <b>1</b>\n+ x: [1]\n'
  expect(html(`\`\`\`${language}\n${code}\`\`\`\n`)).toContain('class="token')
})

test.each([
  ['without a language', '```\nlet a\n```\n'],
  ['with one that nobody knows', '```nonsense\nlet a\n```\n'],
  [
    'with one that is a function of the library',
    '```extend\nlet a\n```\n\n```constructor\nlet a\n```\n\n```__proto__\na\n```\n',
  ],
  ['in a line', '`let a`{.js} and <code class="language-js">let a</code>\n'],
  ['marked up by its author', '<pre><code class="language-js">let <b>a</b></code></pre>\n'],
  ['with a line that no human wrote', `\`\`\`ts\nlet a = 1\n${'a'.repeat(2001)}\n\`\`\`\n`],
  ['that is far too long', `\`\`\`js\n${'let a = 1\n'.repeat(6000)}\`\`\`\n`],
])('code %s is unchanged', (_name, body) => {
  expect(html(body)).toBe(htmlOf(plain(inputOf(body))))
})

test('an author cannot use these classes', () => {
  const body =
    '<span class="token keyword" style="x">a</span>\n\n<pre><code class="language-js token"><span class="token">a</span></code></pre>\n'
  expect(html(body)).toBe(
    '<p><span>a</span></p>\n<pre><code class="language-js"><span>a</span></code></pre>\n',
  )
})

describe('is invisible elsewhere', () => {
  test('in the projection, the slots, the headings and the problems of real documents', async () => {
    const documents = [...realMarkdown().values()].filter((body) => /^```\w/m.test(body)).slice(0, 150)
    expect(documents.length).toBeGreaterThan(100)
    for (const body of documents) {
      const [before, after] = [plain(inputOf(body)), coloured(inputOf(body))]
      expect({ ...after, html: [] }).toEqual({ ...before, html: [] })
      await turn()
    }
  })

  test('when it comes back from the target', () => {
    const body = 'Text.\n\n```js\nlet a = 1 // one\n\nlet b\n```\n'
    expect(htmlToMarkdown(html(body))).toBe(body)
    const file = `---\ntitle: T\n---\n${body}\n~~~py  title="x"\nif a:\n  pass\n~~~\n`
    const sentHtml = html(file.slice(file.indexOf('Text')))
    const merge = (changed: string) =>
      mergeBody(file, {
        title: 'T',
        newTitle: 'T',
        html: changed,
        sentHtml,
        linkOf: () => undefined,
        render: coloured,
        allow: {},
      })
    expect(merge(sentHtml)).toEqual({ text: file, lost: [] })
    expect(merge(sentHtml.replace('Text.', 'Words.'))).toEqual({
      text: file.replace('Text.', 'Words.'),
      lost: [],
    })
    const edited = merge(sentHtml.replace(' a ', ' c '))
    expect(edited.text).toContain('```js\nlet c = 1 // one\n\nlet b\n```')
    expect(edited.text).toContain('~~~py  title="x"\nif a:\n  pass\n~~~\n')
  })
})
