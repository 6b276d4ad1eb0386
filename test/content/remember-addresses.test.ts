// URLs that are resolved once for several files have the same result as URLs that are resolved for each file.
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { findTarget, type LinkFiles, type LinkOrigin } from '../../src/content/links/find-target.ts'
import { rememberAddresses } from '../../src/content/links/remember-addresses.ts'
import type { ResolveAddress } from '../../src/content/links/resolve-link.ts'
import { createSiteLinks } from '../../src/content/site-links/create-site-links.ts'
import { createSourceIndex } from '../../src/content/source/source-index.ts'
import { PRESET_NAMES, type PresetName } from '../../src/core/dialects/dialects.ts'
import { mappingOf } from './preset/mapping.ts'

const SOURCES = [
  'index.md',
  'a.md',
  'b.md',
  'guide/index.md',
  'guide/_index.md',
  'guide/a.md',
  'guide/b.md',
  'guide/b.fr.md',
  'guide/b/a.md',
  'guide/deep/README.md',
  'guide/deep/a.md',
  'fr/a.md',
  'fr/guide/b.md',
  'fr/guide/c.mdx',
]

const PATHS = [
  'a',
  'a.md',
  './a.md',
  'A.md',
  'a.html',
  'a/',
  '.',
  '',
  '..',
  'c.mdx',
  'deep',
  'deep/a.md',
  'b/a.md',
  '../a',
  '../a.md',
  '../guide/b.md',
  '../../a.md',
  '../_index.md',
  'guide/a.md',
  'a.md/',
  '%61.md',
  'a%2emd',
  '/',
  '/a',
  '/a.md',
  '/guide',
  '/guide/b.md',
  '/docs/guide/b',
  '/docs/a.md',
  '/fr/a',
  '/v2/a.md',
  '//x.example/a.md',
  '@site/docs/a.md',
  '@site/static/x.png',
  'x.png',
  '/x.png',
  'a?b.md',
  'v1.0/a',
]
const ADDRESSES = PATHS.flatMap((path) => [path, `${path}#part`, `${path}?a.md`])

function filesOf(preset: PresetName | undefined): LinkFiles {
  const documents = new Map(SOURCES.map((source) => [source, { source, language: null, slug: undefined }]))
  const mapping = preset && mappingOf({ preset, folderName: 'docs', languages: ['en', 'fr'] })
  return {
    documents,
    sources: () => createSourceIndex(SOURCES),
    rejected: new Set(['fr/b.md']),
    findExactly: (source) => ({ kind: source.endsWith('x.png') ? 'found' : 'missing', source }),
    isFile: (source) => SOURCES.includes(source) || source.endsWith('x.png'),
    publishes: () => true,
    findOwnAddress: () => undefined,
    isCategory: () => true,
    site: createSiteLinks(mapping, {
      documents: new Map(
        SOURCES.map((source) => [
          source,
          { source, language: null, slug: source.replaceAll(/\/|\.mdx?$/g, '-') },
        ]),
      ),
      pages: ['guide/_index.md'],
      folderPages: [{ folder: 'guide', category: 'Guide', routes: [{ language: null, route: 'guide' }] }],
      defaultLanguage: 'en',
      routes: new Map([['guide/deep/a.md', 'elsewhere/a']]),
      toolSite: {
        rootFolders: ['../static'],
        isComplete: true,
        basePath: '',
        docsPath: '/docs',
        exclude: [],
        versions: ['v2'],
        linkHook: 'a template',
      },
    }),
  }
}

test.each([undefined, ...PRESET_NAMES])('in every file, with the preset %s', (preset) => {
  const files = filesOf(preset)
  const resolve: ResolveAddress = (address, origin) => ({
    kind: 'url',
    url: JSON.stringify(findTarget(address, origin, files)),
  })
  const remembered = rememberAddresses(resolve, files.site)
  const origins: LinkOrigin[] = SOURCES.flatMap((source) =>
    ['en', 'fr'].map((language) => ({ source, language })),
  )
  const asked = [...origins, ...origins.toReversed()].flatMap((origin) =>
    ADDRESSES.flatMap((url) =>
      (['link', 'image'] as const).map((kind) => ({ origin, address: { kind, url } })),
    ),
  )
  const wrong = asked.filter(
    ({ origin, address }) => !isDeepStrictEqual(remembered(address, origin), resolve(address, origin)),
  )
  expect(wrong).toEqual([])
})

test('a path to a file is resolved once per folder', () => {
  const asked: string[] = []
  const remembered = rememberAddresses(({ url }, { source }) => {
    asked.push(`${source}: ${url}`)
    return { kind: 'url', url }
  }, filesOf('folder').site)
  for (const source of ['guide/a.md', 'guide/b.md', 'fr/a.md'])
    for (const url of ['a.md', 'a', 'a.md', '/b'])
      expect(remembered({ kind: 'link', url }, { source, language: 'en' })).toEqual({ kind: 'url', url })
  expect(asked).toEqual([
    'guide/a.md: a.md',
    'guide/a.md: a',
    'guide/a.md: /b',
    'guide/b.md: a',
    'fr/a.md: a.md',
    'fr/a.md: a',
    'fr/a.md: /b',
  ])
})
