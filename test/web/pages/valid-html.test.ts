// Every kind of page as a whole, checked by the HTML standard and its accessibility rules.
import { expect, test } from 'vitest'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import { loadBrand } from '../../../src/web/pages/brand/load-brand.ts'
import type { PagesOptions } from '../../../src/web/pages/create-pages.ts'
import { createProject } from '../../support/project.ts'
import { openPagesServer, PAGES, visitorOf } from '../../server/pages/open-pages.ts'
import { validateHtml } from '../report/validate-html.ts'
import { createMemorySource } from './memory-source.ts'
import { ADDRESSES, sampleBase } from './sample-base.ts'
import { appOf } from './serve-pages.ts'
import { busyStatus } from './status/busy-status.ts'
import { statusOf } from './status/status-samples.ts'

const PATHS = [
  '/',
  '/?lang=ar',
  '/categories/guides',
  '/categories/accounts?lang=fr',
  '/categories/guides?from=fr',
  '/categories/empty',
  '/tags/start',
  '/articles/showcase',
  '/articles/secret',
  `/articles/${encodeURIComponent('دعوة')}?lang=ar`,
  '/search',
  '/search?q=account',
  '/search?q=zzz',
  '/status',
  '/nope',
]

const sample = await sampleBase()

const PUBLIC = { ...ADDRESSES, url: 'https://help.example.org' }

async function problemsOf(html: string, about: string): Promise<readonly string[]> {
  return (await validateHtml(html)).map((problem) => `${about}: ${problem}`)
}

async function problemsOfPages(options: Partial<PagesOptions<object>>): Promise<readonly string[]> {
  const found: string[] = []
  const app = appOf({ ...createMemorySource(sample), status: statusOf(busyStatus(15, 6)) }, options)
  for (const path of PATHS) found.push(...(await problemsOf(await (await app.request(path)).text(), path)))
  return found
}

test('the pages of a public site are valid, with and without a brand', async () => {
  expect(await problemsOfPages({ addresses: PUBLIC })).toEqual([])
  const { root } = createProject({ 'own.css': 'p { margin: 0 }' })
  const look = {
    logo: {
      light: 'https://acme.example/light.svg',
      dark: 'https://acme.example/dark.svg',
      replacesName: true,
    },
    colours: { accent: '#7c2d92' },
    css: 'own.css',
    header: [{ text: 'Website', url: 'https://acme.example' }],
    footer: [{ text: 'Terms', url: 'https://acme.example/terms' }],
    contact: 'mailto:help@acme.example',
    home: { title: 'How can we help?', text: 'Guides.', featured: ['invite-people'] },
  }
  expect(await problemsOfPages({ brand: loadBrand({ root, brand: look }) })).toEqual([])
})

test('the pages of a preview, with problems, are valid', async () => {
  const place = { file: 'content/a.md', line: 1, column: 1 }
  const problem: Diagnostic = {
    ...place,
    code: 'link-file-missing',
    severity: 'error',
    message: 'The file "gone.md" does not exist',
    hint: 'Fix the <path>',
  }
  expect(
    await problemsOfPages({ viewerOf: () => 'author', live: { token: 't', problems: () => [problem] } }),
  ).toEqual([])
})

test('the forms of a server are valid, even with a problem', async () => {
  const pages = { ...PAGES, signIn: 'shown' as const }
  for (const [path, form, options] of [
    ['/_kb/sign-in', { key: 'kb_wrong' }, pages],
    ['/_kb/password?lang=fr', { password: 'wrong' }, { ...pages, password: 'open sesame' }],
  ] as const) {
    const visitor = visitorOf(await openPagesServer({ pages: options, languages: ['en', 'fr'] }))
    for (const shown of [path, '/', '/status'])
      expect(await problemsOf((await visitor.get(shown)).text, shown)).toEqual([])
    expect(await problemsOf((await visitor.post(path, form)).text, `${path}, refused`)).toEqual([])
  }
})
