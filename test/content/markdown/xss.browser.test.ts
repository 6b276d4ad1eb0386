// Nothing written by an author runs on a page that shows the article: judged by a browser, with every payload in every
// construct of Markdown.
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { MarkdownOptions } from '../../../src/content/markdown/rendered-body.ts'
import { openBrowser } from '../../support/browser.ts'
import { drawSample } from '../../support/draw-lots.ts'
import { readRuns, shareOf } from '../../support/runs.ts'
import { loadFiles } from '../load-files.ts'
import { htmlOf, inputOf, rendererOf, turn } from './renderers.ts'
import { countLive, judgeHtml } from './xss-browser.ts'
import {
  ATTRIBUTE_PAYLOADS,
  DEEP_PAYLOADS,
  PART_PAYLOADS,
  readCorpus,
  readNaughtyStrings,
  TEXT_PAYLOADS,
} from './xss-vectors.ts'

const RUN = 'alert(0)'
const ready = (payloads: readonly string[]) => payloads.map((payload) => payload.replaceAll('RUN', RUN))

const oneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ')
const indented = (text: string, indent: string) => text.replaceAll('\n', `\n${indent}`)

/** Positions for a text. */
const TEXT_PLACES: readonly ((payload: string) => string)[] = [
  (text) => `${text}\n`,
  (text) => `a ${oneLine(text)} b\n`,
  (text) => `a\n\n> - ${indented(text, '>   ')}\n`,
  (text) => `> [!TIP]\n> ${indented(text, '> ')}\n`,
  (text) => `a[^1]\n\n[^1]: ${indented(text, '    ')}\n`,
  (text) => `| a |\n|---|\n| ${oneLine(text).replaceAll('|', '\\|')} |\n`,
  (text) => `## ${oneLine(text)}\n`,
  (text) => `- [x] *${oneLine(text)}*\n`,
  (text) => `<details>\n<summary>${oneLine(text)}</summary>\n\n${text}\n\n</details>\n`,
  (text) => `\`\`\`html\n${text}\n\`\`\`\n`,
  (text) => `\`\`\`markdown\n${text}\n\`\`\`\n\n~~~php\n${text}\n~~~\n`,
]

/** Positions for a part of a construct. */
const PART_PLACES: readonly ((payload: string) => string)[] = [
  (part) => `[x](${part})\n`,
  (part) => `[x](<${oneLine(part)}>) ![x](<${oneLine(part)}>)\n`,
  (part) => `[x](https://img.test/ "${part}") ![x](https://img.test/a.png '${part}')\n`,
  (part) => `![${part}](https://img.test/a.png) [${part}](https://img.test/)\n`,
  (part) => `<${part}>\n`,
  (part) => `[x][r] ![x][r]\n\n[r]: <${oneLine(part)}> "${oneLine(part)}"\n`,
  (part) => `[${part}]\n\n[${part}]: https://img.test/\n`,
  (part) => `\`\`\`${oneLine(part)}\ncode\n\`\`\`\n\n~~~ js ${oneLine(part)}\ncode\n~~~\n`,
  (part) => `a[^${oneLine(part)}]\n\n[^${oneLine(part)}]: b\n`,
  (part) => `<a href="${part}" title="${part}">x</a> <abbr title='${part}'>x</abbr>\n`,
  (part) => `<a href='${part}' name='${part}' target='${part}'>x</a> <p id='${part}'>x</p>\n`,
  (part) => `<img src="${part}" alt='${part}' srcset="${part}, ${part} 2x" width="${part}">\n`,
  (part) => `<details ${part}>x</details>\n`,
  (part) =>
    `<code class="language-${part}">x</code><pre><code class="language-js ${part}">let x</code></pre>\n`,
  (part) => `<!-- ${part} -->\n`,
]

/** A payload and its position. */
interface Placed {
  readonly payload: string
  readonly put: (payload: string) => string
}

const isWhole = (text: string) => text
const at = (payload: string, places: readonly Placed['put'][]): Placed[] =>
  places.map((put) => ({ payload, put }))

/** Returns the block position and some others. The next, similar payload gets different ones. */
function placesFor(index: number) {
  return TEXT_PLACES.filter((_, place) => place === 0 || (place + index) % 3 === 0)
}

function allPlaced(): Placed[] {
  const corpus = readCorpus()
  return [
    ...ready(DEEP_PAYLOADS).flatMap((text) => at(text, [isWhole])),
    ...[...ready(TEXT_PAYLOADS), ...corpus].flatMap((text, index) => at(text, placesFor(index))),
    ...naughtyPlaced(),
    ...ready(ATTRIBUTE_PAYLOADS).flatMap((text) => at(text, TEXT_PLACES.slice(0, 3))),
    ...[...ready(PART_PAYLOADS), ...corpus].flatMap((part) => at(part, PART_PLACES)),
  ]
}

/** Many of these differ in one character only, so each gets some positions, and the next one others. */
function naughtyPlaced(): Placed[] {
  return readNaughtyStrings().flatMap((text, index) =>
    at(text, [
      TEXT_PLACES[0] ?? isWhole,
      ...TEXT_PLACES.filter((_, place) => (place + index) % 8 === 0),
      ...PART_PLACES.filter((_, place) => (place + index) % 8 === 0),
    ]),
  )
}

const PLACES = [isWhole, ...TEXT_PLACES, ...PART_PLACES]

/** Returns every payload in at least one position, and every position with a payload: at least `PAYLOADS` documents. */
function someDocuments(placed: readonly Placed[]): string[] {
  return drawSample(placed, readRuns('PAYLOADS', Math.ceil(placed.length / 10)), ({ payload, put }) => [
    payload,
    `place ${PLACES.indexOf(put)}`,
  ]).map(({ payload, put }) => put(payload))
}

/** As shown in the guide. */
const GENEROUS: MarkdownOptions['allow'] = {
  tags: ['button'],
  attributes: { button: ['type'], '*': ['class'] },
}

async function renderAll(documents: readonly string[], options: Partial<MarkdownOptions>): Promise<string[]> {
  const render = await rendererOf(options)
  const rendered = new Set<string>()
  for (const [index, body] of documents.entries()) {
    rendered.add(htmlOf(render(inputOf(body))))
    if (index % 16 === 0) await turn()
  }
  return [...rendered]
}

test('the test detects the effect of payloads if nothing is removed', { timeout: 120_000 }, async () => {
  const browser = await openBrowser()
  const raw = ready([...TEXT_PAYLOADS, ...ATTRIBUTE_PAYLOADS])
  const naughty = readNaughtyStrings()
  const some = readRuns('PAYLOADS', Math.ceil(raw.length / 5))
  for (const [all, fewestLive] of [
    [raw, 150],
    [naughty, 80],
  ] as const) {
    const judged = shareOf(all, some, 0)
    const share = (await countLive(browser, judged)) / judged.length
    // A sample may contain a smaller share of live payloads than all.
    expect(share).toBeGreaterThan(fewestLive / all.length / 2)
  }
  expect(await countLive(browser, ['<p>text</p>', '<a href="#x">x</a><img src="x">'])).toBe(0)
  const verdicts = await judgeHtml(
    browser,
    [
      '<p>fine</p>',
      '<img src=x onerror=alert(0)>',
      '<a href="javascript:alert(0)">x</a>',
      '<script>alert(0)</script>',
    ],
    { allowedTags: [] },
  )
  expect(new Set(verdicts.map(({ html }) => html)).size).toBe(3)
  expect(
    verdicts
      .filter(({ what }) => what.includes('calls alert'))
      .map(({ how, html }) => `${how}: ${html.slice(0, 7)}`),
  ).toEqual([
    'parsed page: <img sr',
    'parsed page: <a href',
    'parsed page: <script',
    'live fragment: <img sr',
    'live fragment: <a href',
    'live fragment: <script',
    'innerHTML again and again: <img sr',
    'innerHTML again and again: <a href',
    'innerHTML again and again: <script',
  ])
})

test('nothing runs, loads or covers the page, with either parser', { timeout: 240_000 }, async () => {
  const documents = someDocuments(allPlaced())
  expect(documents.length).toBeGreaterThan(700)
  const html = new Set([
    ...(await renderAll(documents, {})),
    // Slow, and equivalent to the other parser (see parsers-agree.test.ts): each payload in some of its positions.
    ...(await renderAll(
      documents.filter((_, index) => index % 3 === 0),
      { parser: 'remark' },
    )),
    // Without code, they render as above.
    ...(await renderAll(
      documents.filter((body) => /```|~~~|<code|<pre|^(?: {4}|\t)/m.test(body)),
      { highlight: true },
    )),
  ])
  expect(html.size).toBeGreaterThan(400)
  expect(await judgeHtml(await openBrowser(), [...html], { allowedTags: [] })).toEqual([])
})

test('nor with more allowed HTML', { timeout: 240_000 }, async () => {
  // A document without these elements and attributes renders the same with and without them.
  const documents = allPlaced()
    .map(({ payload, put }) => put(payload))
    .filter((body) => /button|class/i.test(body))
  const known = new Set(await renderAll(documents, { highlight: true }))
  const html = (await renderAll(documents, { highlight: true, allow: GENEROUS })).filter(
    (each) => !known.has(each),
  )
  expect(html.length).toBeGreaterThan(30)
  expect(await judgeHtml(await openBrowser(), html, { allowedTags: ['button'] })).toEqual([])
})

test('nor in the long description of a category', { timeout: 120_000 }, async () => {
  const documents = [...ready(TEXT_PAYLOADS), ...readNaughtyStrings()]
    .flatMap((text, index) =>
      TEXT_PLACES.filter((_, place) => (place + index) % 11 === 0).map((put) => put(text)),
    )
    .map((text, index) => ({ name: `C${index}`, slug: `c${index}`, longDescription: text }))
  const { taxonomy, diagnostics } = await loadFiles({ '_categories.yml': stringify(documents) })
  expect(diagnostics.filter(({ code }) => code.startsWith('taxonomy-'))).toEqual([])
  const html = (taxonomy.categories ?? []).map(({ longDescription }) => longDescription ?? '')
  expect(html.length).toBeGreaterThan(300)
  expect(await judgeHtml(await openBrowser(), html, { allowedTags: [] })).toEqual([])
})
