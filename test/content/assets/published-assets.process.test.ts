// Files beside the articles, if `assets.baseUrl` gives them their own URLs.
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MarkdownOptions } from '../../../src/content/markdown/rendered-body.ts'
import { digest } from '../../../src/core/digest.ts'
import { png, pngOf } from '../../support/images.ts'
import { contentFolder, type Files, FRONTMATTER, loadFiles, loadFolder } from '../load-files.ts'

const BASE = 'https://files.example/kb'
const assets = { baseUrl: BASE, inlineUnderBytes: 0, maxSizeBytes: 10_000 }
const markdown: MarkdownOptions = {
  parser: 'native',
  remarkPlugins: [],
  allow: {
    tags: ['video', 'audio', 'track'],
    attributes: { video: ['src', 'poster'], audio: ['src'], track: ['src'], source: ['src'] },
  },
}

const nameOf = (name: string, bytes: string | Buffer, ending: string) =>
  `${name}-${digest(bytes).slice(0, 16)}${ending}`
const urlOf = (name: string, bytes: string | Buffer, ending: string) =>
  `${BASE}/${encodeURIComponent(nameOf(name, bytes, ending))}`

async function render(body: string, files: Files, changes: Partial<typeof assets> = {}) {
  const loaded = await loadFiles(
    { ...files, 'in/a.md': `${FRONTMATTER}${body}\n` },
    { assets: { ...assets, ...changes }, markdown },
  )
  return { ...loaded, body: loaded.html['in/a.md']?.trim() }
}

test('images, linked files and media have a URL with the digest of their content', async () => {
  const files = {
    'in/pic.PNG': png(),
    'doc/u\u0308 b#1.pdf': 'pdf',
    'clip.mp4': 'clip',
    'clip.vtt': 'vtt',
    'big.png': png('2'),
  }
  const {
    body,
    diagnostics,
    assets: used,
  } = await render(
    '![p](pic.PNG) [d](../doc/%C3%BC%20b%231.pdf?x=1#page=2) [i](../big.png)\n\n' +
      '<video src="../clip.mp4" poster="../big.png"><source src="../clip.mp4"><track src="../clip.vtt"></video>\n' +
      '<img srcset="pic.PNG 1x, ../big.png 2x" src="pic.PNG">',
    files,
  )
  const pic = urlOf('pic', png(), '.png')
  const big = urlOf('big', png('2'), '.png')
  const clip = urlOf('clip', 'clip', '.mp4')
  expect(diagnostics).toEqual([])
  expect(body).toBe(
    `<p><img src="${pic}" alt="p"> <a href="${urlOf('\u00FC b#1', 'pdf', '.pdf')}?x=1#page=2">d</a> <a href="${big}">i</a></p>\n` +
      `<p><video src="${clip}" poster="${big}"><source src="${clip}"><track src="${urlOf('clip', 'vtt', '.vtt')}"></video>\n` +
      `<img srcset="${pic} 1x, ${big} 2x" src="${pic}"></p>`,
  )
  expect(used).toEqual([
    {
      source: 'big.png',
      hash: digest(png('2')),
      bytes: png('2').length,
      published: { name: nameOf('big', png('2'), '.png'), url: big },
    },
    {
      source: 'clip.mp4',
      hash: digest('clip'),
      bytes: 4,
      published: { name: nameOf('clip', 'clip', '.mp4'), url: clip },
    },
    expect.objectContaining({ source: 'clip.vtt' }),
    expect.objectContaining({ source: 'doc/u\u0308 b#1.pdf' }),
    expect.objectContaining({ source: 'in/pic.PNG' }),
  ])
})

test('a fragment of a picture or video stays, a query is removed', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><view id="v" viewBox="0 0 1 1"/></svg>'
  const { body, diagnostics } = await render(
    '![s](../a.svg?x=1#v) ![i](pic.png#v)\n\n<video src="../clip.mp4#t=10"></video>\n',
    { 'a.svg': svg.padEnd(300), 'in/pic.png': png(), 'clip.mp4': 'clip' },
    { inlineUnderBytes: 200 },
  )
  expect(diagnostics).toEqual([])
  expect(body).toContain(`src="${urlOf('a', svg.padEnd(300), '.svg')}#v"`)
  expect(body).toContain(`src="${urlOf('clip', 'clip', '.mp4')}#t=10"`)
  expect(body).toMatch(/src="data:image\/png;base64,[^#"]*"/)
})

test('only images below the limit are embedded, and a file that needs both is published', async () => {
  const files = { 'small.png': pngOf(199), 'limit.png': pngOf(200), 'both.png': pngOf(100) }
  const { body, assets: used } = await render(
    '![s](../small.png) ![l](../limit.png) ![b](../both.png) [b](../both.png)',
    files,
    { inlineUnderBytes: 200 },
  )
  expect(body?.match(/(?:src|href)="[^;-]*/g)).toEqual([
    'src="data:image/png',
    `src="${BASE}/limit`,
    'src="data:image/png',
    `href="${BASE}/both`,
  ])
  expect(used.map(({ source, published }) => [source, published === undefined])).toEqual([
    ['both.png', false],
    ['limit.png', false],
    ['small.png', true],
  ])
})

test('an edited file changes the articles that link to it', async () => {
  const hashOf = async (text: string) =>
    (await render('[x](../a.pdf)', { 'a.pdf': text })).articles[0]?.contentHash
  expect(await hashOf('one')).toBe(await hashOf('one'))
  expect(await hashOf('one')).not.toBe(await hashOf('two'))
})

test('a file that cannot be published is an error at its URL', async () => {
  const root = contentFolder({
    'in/a.md':
      `${FRONTMATTER}[h](../page.html) [n](../LICENSE) [big](../big.zip) [s](../evil.svg) ![s](../evil.svg)\n` +
      '[c](../Form.PDF) [m](../none.pdf) ![z](../zip.zip) [o](../out.pdf) ![p](../pipe.png) [d](../draft/_x.md)\n' +
      '<video src="../page.html"></video> [deep](../out/secret.pdf) ![deep](../out/secret.png)',
    'page.html': '<p>',
    LICENSE: 'MIT',
    'big.zip': Buffer.alloc(10_001),
    'zip.zip': 'z',
    'evil.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'form.pdf': 'pdf',
    'draft/_x.md': 'x',
  })
  const outside = contentFolder({ 'secret.pdf': 'secret', 'secret.png': png() })
  symlinkSync(join(outside, 'secret.pdf'), join(root, 'out.pdf'))
  symlinkSync(outside, join(root, 'out'))
  execFileSync('mkfifo', [join(root, 'pipe.png')])
  const { diagnostics } = await loadFolder(root, { assets, markdown })
  const script = 'which would run for anyone who opens the file by its URL.'
  expect(
    diagnostics.map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`),
  ).toEqual([
    '5:5 asset-type Files that end in .html are not published: "page.html".',
    '5:23 asset-type Files that have no ending are not published: "LICENSE".',
    '5:41 asset-too-large "big.zip" has 10 kB; only files of up to 10 kB are published.',
    `5:57 asset-type "evil.svg" contains a <script>, ${script}`,
    `5:75 asset-type "evil.svg" contains a <script>, ${script}`,
    '6:5 link-file-missing There is no file "Form.PDF".',
    '6:22 link-file-missing There is no file "none.pdf".',
    '6:40 asset-type "zip.zip" is not an image of a known type.',
    '6:56 link-outside "out.pdf" points to a file outside the content folder.',
    '6:73 asset-missing "pipe.png" is not a file, but a folder, a pipe or a device.',
    '6:90 link-not-article "../draft/_x.md" is a file but not an article.',
    '7:13 asset-type Files that end in .html are not published: "page.html".',
    '7:43 link-outside "out/secret.pdf" points to a file outside the content folder.',
    '7:70 link-outside "out/secret.png" points to a file outside the content folder.',
  ])
  expect(diagnostics[5]?.hint).toBe('Did you mean ../form.pdf?')
})

test('hidden files are never read, published or embedded', async () => {
  const files = { '.env.txt': 'KEY=1', '.kb/a.json': '{}', 'in/.b.png': png() }
  const body = '[a](../.env.txt) [b](../.kb/a.json) ![c](.b.png)'
  for (const inlineUnderBytes of [0, 1000]) {
    const loaded = await render(body, files, { inlineUnderBytes })
    expect(loaded.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'link-outside ".env.txt" points to a hidden file or folder, which kb-sync never reads.',
      'link-outside ".kb/a.json" points to a hidden file or folder, which kb-sync never reads.',
      'link-outside "in/.b.png" points to a hidden file or folder, which kb-sync never reads.',
    ])
  }
})

test('without a base URL, media are an error and the script of an image is inert', async () => {
  const files = {
    'clip.mp4': 'clip',
    'evil.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
    'page.png': '<p>',
  }
  const loaded = await loadFiles(
    {
      ...files,
      'a.md': `${FRONTMATTER}<video src="clip.mp4"></video> ![x](evil.svg) ![y](page.png) ![z](Page.png)\n`,
    },
    { markdown },
  )
  expect(
    loaded.diagnostics.map(({ column, code, severity, message, hint }) => [
      column,
      code,
      severity,
      message,
      hint,
    ]),
  ).toEqual([
    [
      13,
      'asset-type',
      'error',
      '"clip.mp4" is not an image, so it cannot be sent inside an article.',
      'Set assets.baseUrl to publish it with kb assets, sync to a service that stores files, or upload it yourself and use its absolute URL.',
    ],
    [
      52,
      'asset-type-mismatch',
      'warning',
      '"page.png" does not match its ending: it is not an image of a known type.',
      'Save it again as an image: it may be damaged, or be a web page. If it is a pointer of Git LFS, run git lfs pull.',
    ],
    [
      67,
      'asset-missing',
      'error',
      'There is no "Page.png", but "page.png": the case differs.',
      'Write it as page.png; other machines would not find it.',
    ],
  ])
})

test('the hint about the case of a path names the folder that differs', async () => {
  const { diagnostics } = await loadFiles({
    'a.md': `${FRONTMATTER}![x](Pictures/page.png)`,
    'pictures/page.png': png(),
  })
  expect(diagnostics.map(({ hint }) => hint)).toEqual([
    'Write it as pictures/page.png; other machines would not find it.',
  ])
})
