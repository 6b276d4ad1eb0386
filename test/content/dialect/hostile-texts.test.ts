// Texts that make a scanner read the same position again and again. Each takes a moment if every position is read once,
// and minutes, more than any test has, if the time grows with the square of the text.
import { expect, test } from 'vitest'
import { applyEdits, containerEdits, dialectEdits } from '../../../src/content/dialect/text-edits.ts'
import type { Conversion } from '../../../src/content/dialect/conversion.ts'
import { convertCode } from '../../../src/content/dialect/convert-tree.ts'
import { readAttributes } from '../../../src/content/dialect/attribute-lists.ts'
import { createHoles } from '../../../src/content/dialect/holes.ts'
import { settleShortcodes } from '../../../src/content/dialect/shortcodes/settle-shortcodes.ts'
import { shortcodeEdits } from '../../../src/content/dialect/shortcodes/shortcode-edits.ts'
import { createPlainParser } from '../../../src/content/dialect/mdx-parsers.ts'
import {
  createFindEmbeds,
  createFindMarkedSnippets,
  createFindShortcodeIncludes,
} from '../../../src/content/dialect/line-includes.ts'
import { readExpression } from '../../../src/content/dialect/expressions.ts'
import { createSlugify } from '../../../src/content/dialect/name-headings.ts'
import { DIALECTS } from '../../../src/core/dialects/dialects.ts'
import { splitLines } from '../../../src/core/dialects/text-lines.ts'
import { withoutUnseen } from '../../../src/content/dialect/convert-vue.ts'
import { listLinkOccurrences } from '../../../src/content/link-occurrences/list-link-occurrences.ts'
import { readSiteInclude } from '../../../src/content/includes/include-comment.ts'
import { cutPart } from '../../../src/content/includes/read-snippet.ts'
import { createSourceRanges } from '../../../src/content/markdown/source-ranges.ts'
import { resolveParser } from '../../../src/content/parser/resolve-parser.ts'
import { endOfJson } from '../../../src/content/frontmatter/split-tool-file.ts'
import { createFreeNames } from '../../../src/content/preset/folder-categories.ts'
import { inputOf, rendererOf } from '../markdown/renderers.ts'

const SPACES = ' '.repeat(200_000)

test.each([
  ['a title with spaces', `::: tip a${SPACES}x`],
  ['a title with nothing but spaces behind it', `::: tip a ${SPACES}{`],
])('lines of containers: %s', (_, text) => {
  const lines = splitLines(text)
  expect(() => containerEdits(lines, DIALECTS.vitepress)).not.toThrow()
  expect(() => containerEdits(lines, DIALECTS.docusaurus)).not.toThrow()
})

test.each([
  ['comments that are never closed', '<!--\n'.repeat(100_000)],
  ['comments', '<!-- -->\n'.repeat(50_000)],
  ['comments on one line', '<!-- -->'.repeat(50_000)],
  ['a long fence', `${'~'.repeat(200_000)}\n`],
])('lines of MDX: %s', (_, text) => {
  const lines = splitLines(text)
  expect(() => DIALECTS.docusaurus.text.rewrite?.(text, lines)).not.toThrow()
})

test.each([
  ['tags that are never closed', '{% hint %}\n{% raw %}\n{% highlight x %}\n'.repeat(30_000)],
  ['tags that are closed once', `${'{% hint %}\n'.repeat(50_000)}{% endhint %}`],
  ['directives', '```{note}\nx\n```\n'.repeat(60_000)],
  ['directives with an option', ':::{note}\n:a: b\n:::\n'.repeat(60_000)],
  ['a directive with many options', `:::{note}\n${':a: b\n'.repeat(200_000)}:::`],
  ['attribute lists', `${'{: .note }\n'.repeat(50_000)}\n${'a\n{: .note }\n'.repeat(50_000)}`],
  ['an attribute list that is never closed', `{: ${'.a.b#c '.repeat(30_000)}`],
  ['anchors with spaces', `# a${SPACES}{#b`],
  ['braces in one line', `# ${'{{ '.repeat(70_000)}`],
  ['a definition with spaces', `[a]:${SPACES}{{ site.url }}/`],
])('lines of plain Markdown: %s', (_, text) => {
  const lines = splitLines(text, false)
  expect(() => DIALECTS.folder.text.rewrite?.(text, lines)).not.toThrow()
})

test.each([
  ['docusaurus', `// highlight-start${SPACES}x`, null],
  ['vitepress', `[!code ${SPACES}x`, null],
  ['vitepress', '#[!code x\n'.repeat(20_000), null],
  ['vitepress', '', `js [][${'['.repeat(200_000)}`],
  ['vitepress', '{{ a\n'.repeat(30_000), null],
] as const)('code of %s', (dialect, value, meta) => {
  const conversion: Conversion = {
    dialect: DIALECTS[dialect],
    ranges: createSourceRanges('', 0),
    text: '',
    values: {},
    constants: new Map(),
    findOwn: () => undefined,
    openOwn: new Map(),
    problems: [],
    holes: createHoles(''),
    hasElements: false,
    verbatim: 0,
    code: 0,
  }
  expect(() => convertCode({ type: 'code', lang: 'js-vue', value, meta }, conversion)).not.toThrow()
})

test.each([
  ['comments that are never closed', `"${'/*'.repeat(100_000)}"`],
  ['empty lines', `//x\n${'\n'.repeat(200_000)}x`],
])('expressions: %s', (_, code) => expect(() => readExpression(code)).not.toThrow())

test.each([
  ['pairs of other names', '{{< a >}}'.repeat(30_000) + '{{< /b >}}'.repeat(30_000)],
  ['unknown ones', '{{< a >}}\n'.repeat(30_000)],
  ['boxes on one line', '{{< note >}}a{{< /note >}}'.repeat(15_000)],
  ['boxes in each other', '{{< note >}}\n'.repeat(15_000) + '{{< /note >}}\n'.repeat(15_000)],
  ['code in code', '{{< highlight go >}}\n'.repeat(15_000) + '`\n{{< /highlight >}}\n'.repeat(15_000)],
  ['code with many ticks', `{{< highlight go >}}\n${'` '.repeat(200_000)}\n{{< /highlight >}}\n`],
  ['one that is shown', `{{</* a${SPACES}x */>}}`],
  ['unknown ones on one line', '{{< a >}} '.repeat(20_000)],
  ['unknown ones in a tag', `<a ${'b="{{< a >}}" '.repeat(10_000)}>`],
  ['unknown ones in code', `\`${'{{< a >}}x'.repeat(10_000)}\``],
])('shortcodes: %s', async (_, text) => {
  const parse = createPlainParser(await resolveParser({ parser: 'native', remarkPlugins: [] }), [])
  expect(() => settleShortcodes(text, shortcodeEdits(text, [], DIALECTS.hugo), parse)).not.toThrow()
})

test.each([
  ['never closed', '<script>\n'.repeat(50_000)],
  ['without end of the tag', '<script '.repeat(50_000)],
])('elements that are left out: %s', (_, html) => expect(() => withoutUnseen(html)).not.toThrow())

test('removed HTML', () => {
  const html = '<p>a</p><SCRIPT src="x">1 < 2</script ><style>\n</style>b<template>c</template><script>e'
  expect(withoutUnseen(html)).toBe('<p>a</p>b<template>c</template><script>e')
})

test.each([
  ['an attribute and spaces', `<div\n${SPACES}x>\n`],
  ['interpolations on one line', `${'{{ a }} '.repeat(10_000)}\n`],
  ['interpolations that are never closed', `${'{{ '.repeat(60_000)}\n`],
  ['a heading with spaces', `# a${SPACES}x\n`],
  [
    'repeated elements of other names',
    Array.from({ length: 32_000 }, (_, count) => `<x${count} v-for="a">\n`).join(''),
  ],
  ['repeated elements in each other', `${'<p v-for="a">\n'.repeat(16_000)}${'</p>\n'.repeat(16_000)}`],
  ['empty lines in code in a container', `:::tip\n\n\`\`\`\n${'\n'.repeat(100_000)}x\n\`\`\`\n\n:::\n`],
])('texts of VitePress: %s', async (_, text) => {
  const render = await rendererOf({ dialect: 'vitepress' })
  expect(() => render({ ...inputOf(text), source: 'page.md' })).not.toThrow()
})

test.each([
  ['classes that never end', `{${'.a '.repeat(60_000)}`],
  ['keys', `{${'a=b '.repeat(60_000)}{`],
  ['quotes', `{a="${'\\"'.repeat(60_000)}}`],
  ['spaces', `{.a${SPACES}x}`],
  ['braces', '{'.repeat(200_000)],
])('attributes of Hugo: %s', (_, text) => expect(readAttributes(text)).toBeUndefined())

test.each([
  ['lines of attributes', 'a\n{.x}\n'.repeat(20_000)],
  ['a heading that ends in braces', `# a ${'{.a '.repeat(60_000)}}\n`],
  ['marks', '> [!a]\n'.repeat(20_000)],
  ['a mark and lines', `> [!a] b\n${'> *c*\n'.repeat(10_000)}`],
])('texts of Hugo: %s', async (_, text) => {
  const render = await rendererOf({ dialect: 'hugo' })
  expect(() => render({ ...inputOf(text), source: 'page.md' })).not.toThrow()
})

test.each([
  [
    'blocks in each other',
    Array.from({ length: 90 }, (_, depth) => `${'    '.repeat(depth)}!!! a\n`).join(''),
  ],
  ['blocks', '!!! a "b"\n    c\n'.repeat(5000)],
  ['blocks of slashes', '/// note\n    open: true\n///\n'.repeat(5000)],
  ['blocks of slashes in each other', `${'/// note\n'.repeat(90)}${'/// tip |\n'.repeat(5000)}`],
  ['slashes', `${'/'.repeat(100_000)} note`],
  ['a title with spaces', `/// note | a${SPACES}`],
  ['attributes that never end', '[a](b){'.repeat(20_000)],
  ['attributes', `\`a\`{${' .a'.repeat(40_000)}`],
  ['words in braces', `*a*{${'a'.repeat(100_000)}${' a'.repeat(40_000)}`],
  ['ends of links', `](a${'){'.repeat(40_000)}`],
  ['marks', '== a'.repeat(40_000)],
  ['keys', `++${'a+'.repeat(60_000)}`],
  ['tags', `<a${' markdown'.repeat(20_000)}`],
  ['icons', ':material-a:'.repeat(10_000)],
])('texts of MkDocs: %s', (_, text) => {
  expect(() => applyEdits(text, dialectEdits(text, DIALECTS.mkdocs))).not.toThrow()
})

test.each([
  ['links that never end', '[[a'.repeat(40_000)],
  ['links', '[[a|b]]'.repeat(10_000)],
  ['comments', '%%'.repeat(50_001)],
  ['marks', '== a'.repeat(40_000)],
  ['names of blocks', ' ^a'.repeat(40_000)],
])('texts of Obsidian: %s', (_, text) => {
  expect(() => applyEdits(text, dialectEdits(text, DIALECTS.obsidian))).not.toThrow()
  expect(() => listLinkOccurrences(text, DIALECTS.obsidian)).not.toThrow()
})

test.each([
  ['marks of lists', '--8<--\n'.repeat(40_001)],
  ['dashes', `${'-'.repeat(100_000)}8<${'-'.repeat(100_000)}`],
  ['a path that never ends', `--8<-- "${'\\"'.repeat(100_000)}`],
  ['parts of a path', `--8<-- "a${':a'.repeat(50_000)}"`],
  ['numbers of lines', `--8<-- "a${':1'.repeat(50_000)}"`],
  ['files', '--8<-- "a"\n'.repeat(10_000)],
  ['embeds', '- ![[a#b]]\n'.repeat(20_000)],
  ['markers of lists', `${'- '.repeat(100_000)}![[a`],
  ['shortcodes', '{{% include a %}}\n'.repeat(2000)],
  ['a shortcode that never ends', `{{% include "${'a '.repeat(100_000)}`],
])('includes on lines: %s', (_, text) => {
  const from = { source: 'a.md', isArticle: true }
  expect(() => createFindMarkedSnippets('/nowhere', ['.', '..'])(text, from)).not.toThrow()
  expect(() => createFindEmbeds('/nowhere')(text, from)).not.toThrow()
  expect(() => createFindShortcodeIncludes('/nowhere')(text, from)).not.toThrow()
})

test.each([
  ['dashes', { kind: 'section', name: 'a' }, `${'-'.repeat(200_000)}8<-`],
  ['marks', { kind: 'section', name: 'a' }, '--8<-- [start:b]\n'.repeat(50_000)],
  ['headings', { kind: 'heading', name: 'a' }, '# b\n'.repeat(50_000)],
  ['lines', { kind: 'block', name: 'a' }, `${'b\n'.repeat(100_000)}\n\n^a`],
] as const)('parts of files: %s', (_, part, text) => {
  expect(() => cutPart({ text, lineOffset: 0 }, part)).not.toThrow()
})

test('parts of a long line', () => {
  const body = 'a'.repeat(800_000)
  const ranges = createSourceRanges(body, 0)
  const node = { position: { start: { line: 1, column: 1, offset: 0 }, end: { line: 1, column: 800_001 } } }
  const found = Array.from(body, (_, at) => ranges.within(node, at, at + 1))
  expect(found.at(-1)).toEqual({ line: 1, column: 800_000, end: { line: 1, column: 800_001 } })
})

test('definitions of Hugo', async () => {
  const render = await rendererOf({ dialect: 'hugo' })
  expect(() => render({ ...inputOf(`a\n: b${SPACES}x\n`), source: 'page.md' })).not.toThrow()
})

test('unclosed JSON', () => {
  expect(endOfJson('{"a\\"}": {}} b')).toBe(12)
  expect(endOfJson('{"a}')).toBeUndefined()
  expect(() => endOfJson(`{"${'\\"'.repeat(100_000)}`)).not.toThrow()
})

test('includes', () => {
  expect(readSiteInclude('<!-- @include: ./a b.md {1,2} -->')?.path).toBe('./a b.md')
  expect(() => readSiteInclude(`<!--@include: a${SPACES}x`)).not.toThrow()
})

test('ids of equal headings, and taken names', () => {
  const taken = new Set<string>(['a-1'])
  const slugify = createSlugify((words) => DIALECTS.vitepress.text.headingId?.(words) ?? '', taken)
  const freeName = createFreeNames()
  const ids = ['a', 'a', 'A'].map((words) => {
    const id = slugify(words)
    taken.add(id)
    return id
  })
  expect(ids).toEqual(['a', 'a-2', 'a-3'])
  expect(['b', 'b', 'b-2', 'b'].map(freeName)).toEqual(['b', 'b-2', 'b-2-2', 'b-3'])
  for (let count = 0; count < 30_000; count++) {
    taken.add(slugify('x'))
    freeName('x')
  }
  expect([slugify('x'), freeName('x')]).toEqual(['x-30000', 'x-30001'])
})
