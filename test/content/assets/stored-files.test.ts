// Files beside the articles, if the target stores them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fitsUse, storedTypeOf } from '../../../src/content/assets/asset-types.ts'
import { FILE_EXTENSIONS } from '../../../src/server/files/file-types.ts'
import { png, pngOf, webpOf } from '../../support/images.ts'
import { type Files, FRONTMATTER, loadFiles } from '../load-files.ts'

const LIMITS = { inlineUnderBytes: 200, baseUrl: undefined, maxSizeBytes: 10_000 }

async function render(body: string, files: Files, storage: 'offered' | 'absent' | 'unknown' = 'offered') {
  const loaded = await loadFiles(
    { ...files, 'in/a.md': `${FRONTMATTER}${body}\n` },
    {
      assets: { ...LIMITS, storage },
      markdown: { parser: 'native', remarkPlugins: [], allow: { tags: [], attributes: {} } },
    },
  )
  const found = loaded.diagnostics.map(
    ({ code, severity, message, hint }) => `${severity} ${code} ${message} ${hint}`,
  )
  return { ...loaded, found, body: loaded.html['in/a.md']?.trim() }
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const urlOf = (bytes: string | Buffer, type: string) => `/files/${sha256(bytes)}.${type}`

const FILES = {
  'in/small.png': png(),
  'big.JPEG': Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100', 'hex'), Buffer.alloc(300)]),
  'doc/price list.pdf': '%PDF-1.7',
  'clip.mp4': 'clip',
  'src/main.ts': 'export {}',
}

test('large images, linked files and media have a URL on the target, small images are embedded', async () => {
  const { body, found, articles, assets } = await render(
    '![s](small.png) ![b](../big.JPEG) [p](<../doc/price list.pdf#page=2>)\n\n[again](../big.JPEG)\n\n<video src="../clip.mp4"></video>',
    FILES,
  )
  const big = urlOf(FILES['big.JPEG'], 'jpg')
  const pdf = urlOf('%PDF-1.7', 'pdf')
  const clip = urlOf('clip', 'mp4')
  expect(found).toEqual([])
  expect(body).toBe(
    `<p><img src="data:image/png;base64,${png().toString('base64')}" alt="s"> <img src="${big}" alt="b"> <a href="${pdf}#page=2">p</a></p>\n` +
      `<p><a href="${big}">again</a></p>\n<p><video src="${clip}"></video></p>`,
  )
  const stored = [
    { name: big.slice(7), source: 'big.JPEG', bytes: 314, usedAt: 'in/a.md:5' },
    { name: pdf.slice(7), source: 'doc/price list.pdf', bytes: 8, usedAt: 'in/a.md:5' },
    { name: clip.slice(7), source: 'clip.mp4', bytes: 4, usedAt: 'in/a.md:9' },
  ]
  expect(articles.map(({ files }) => files)).toEqual([stored])
  expect(assets.flatMap((asset) => (asset.stored === undefined ? [] : [asset.source]))).toEqual([
    'big.JPEG',
    'clip.mp4',
    'doc/price list.pdf',
  ])
})

test('a changed file changes its article', async () => {
  const [before, after] = await Promise.all(
    ['1', '2'].map(async (text) => (await render('[p](../p.pdf)', { 'p.pdf': text })).articles[0]),
  )
  expect(before?.contentHash).not.toBe(after?.contentHash)
})

test('without storage, the same errors are reported', async () => {
  const { found } = await render(
    '![b](../big.webp) [p](../p.pdf) [t](../main.ts) ![s](small.png)\n\n<video src="../clip.mp4"></video>',
    { 'big.webp': webpOf(300), 'p.pdf': 'x', 'main.ts': 'x', 'in/small.png': png(), 'clip.mp4': 'x' },
    'absent',
  )
  expect(found).toEqual([
    'error asset-too-large The image "big.webp" has 300 B; only images of up to 200 B can be sent inside the article. Make it smaller, raise assets.inlineUnder, set assets.baseUrl to publish it with kb assets, or sync to a service that stores files.',
    'error link-not-article "../p.pdf" is a file but not an article. Only articles and images are sent. Set assets.baseUrl to publish other files, sync to a service that stores files, or link to an absolute URL.',
    'error link-not-article "../main.ts" is a file but not an article. Only articles and images are sent. Set assets.baseUrl to publish other files, or link to an absolute URL.',
    'error asset-type "clip.mp4" is not an image, so it cannot be sent inside an article. Set assets.baseUrl to publish it with kb assets, sync to a service that stores files, or upload it yourself and use its absolute URL.',
  ])
})

test('while it is unknown whether the target stores files, each one is a warning', async () => {
  const { found, body } = await render('![b](../big.webp)', { 'big.webp': webpOf(300) }, 'unknown')
  expect(body).toBe(`<p><img src="${urlOf(webpOf(300), 'webp')}" alt="b"></p>`)
  expect(found).toEqual([
    'warning asset-unconfirmed "big.webp" (300 B) can only be sent if the target stores files, which is not known yet. kb sync asks the target. If it stores no files, set assets.baseUrl to publish the file with kb assets.',
  ])
})

describe('a file that the target would reject is an error', () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script>${' '.repeat(300)}</svg>`
  test.each<[string, string, Files, string]>([
    ['of a type that is not stored', '[t](../main.ts)', { 'main.ts': 'x' }, 'link-not-article'],
    ['an excluded article', '[t](../_x.md)', { '_x.md': 'x' }, 'link-not-article'],
    ['too large', '[z](../big.zip)', { 'big.zip': Buffer.alloc(10_001) }, 'asset-too-large'],
    ['missing', '[p](../p.pdf)', {}, 'link-file-missing'],
    ['no image', '![p](../p.png)', { 'p.png': '<html>'.padEnd(300) }, 'asset-type'],
    ['with a script', '![p](../p.svg)', { 'p.svg': svg }, 'asset-type'],
  ])('%s', async (_, body, files, code) => {
    const { diagnostics, articles } = await render(body, files)
    expect(diagnostics.map((each) => each.code)).toEqual([code])
    expect(articles[0]?.files).toBeUndefined()
  })
})

test('a file of a type that is not stored is reported as such', async () => {
  const body = '[d](../a.odt) [t](../main.ts)\n\n<video src="../a.mov"></video>'
  const { found } = await render(body, { 'a.odt': 'x', 'main.ts': 'x', 'a.mov': 'x' })
  expect(found).toEqual([
    'error link-not-article "../a.odt" is of a type that the target does not store. Put it into a ZIP file, set assets.baseUrl to publish it, or link to an absolute URL.',
    'error link-not-article "../main.ts" is of a type that the target does not store. Put it into a ZIP file, or link to an absolute URL.',
    'error asset-type "a.mov" is of a type that the target does not store. Set assets.baseUrl to publish it with kb assets, or upload it yourself and use its absolute URL.',
  ])
})

test('the guide lists the types that are stored, and those that are published', () => {
  const guide = readFileSync(new URL('../../../content/writing/images.md', import.meta.url), 'utf8')
  const [, ...rows] = guide.match(/^\|[^|]*\|[^|]*\|[^|]*\|$/gm) ?? []
  const columns = rows.map((row) => row.split('|').map((cell) => cell.match(/\.\w+/g) ?? []))
  const [stored, others] = [2, 3].map((at) => columns.flatMap((cells) => cells[at] ?? []))
  const all = [...(stored ?? []), ...(others ?? [])]
  expect(all.filter((ending) => storedTypeOf(`a${ending}`) !== undefined)).toEqual(stored)
  expect(all.filter((ending) => !fitsUse(`a${ending}`, 'link'))).toEqual([])
  expect(new Set(stored?.map((ending) => storedTypeOf(`a${ending}`)))).toEqual(new Set(FILE_EXTENSIONS))
})

test('an image whose type differs from its extension is stored under its actual type', async () => {
  const { body, found } = await render('![b](../big.jpg)', { 'big.jpg': pngOf(300) })
  expect(body).toBe(`<p><img src="${urlOf(pngOf(300), 'png')}" alt="b"></p>`)
  expect(found).toEqual([expect.stringContaining('warning asset-type-mismatch')])
})

test('an image without an extension is embedded or stored under its type', async () => {
  const files = { 'image (1)': png(), big: webpOf(300), text: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
  const { body, found, articles, assets } = await render(
    '![a](<../image (1)>) ![b](../big) ![c](../text)',
    files,
  )
  const url = urlOf(files.big, 'webp')
  expect(body).toBe(
    `<p><img src="data:image/png;base64,${png().toString('base64')}" alt="a"> <img src="${url}" alt="b"> <img src="../text" alt="c"></p>`,
  )
  expect(found).toEqual([expect.stringContaining('error asset-type "text" is not an image of a known type.')])
  const stored = { name: url.slice(7), source: 'big', bytes: 300 }
  expect(articles[0]?.files).toEqual([{ ...stored, usedAt: 'in/a.md:5' }])
  expect(assets.map(({ source }) => source)).toEqual(['big', 'image (1)'])
})

test('the URL of a stored file does not belong to a site', async () => {
  const url = urlOf('x', 'pdf')
  const { articles, diagnostics } = await loadFiles(
    { 'a.md': `${FRONTMATTER}[p](${url}) [q](/files/other.pdf)\n` },
    { assets: { ...LIMITS, storage: 'offered' }, rules: { 'site-address': 'error' } },
  )
  expect(diagnostics.map(({ code, column }) => `${code} ${column}`)).toEqual(['site-address 86'])
  expect(articles).toHaveLength(1)
})
