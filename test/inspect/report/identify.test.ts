// Matches articles and files, with and without data of earlier syncs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIELDS_HASH_LENGTH } from '../../../src/core/model/article-fields.ts'
import { documentKey } from '../../../src/core/model/document.ts'
import { appendMarker } from '../../../src/core/model/marker.ts'
import type { Report } from '../../../src/web/report/report.ts'
import { article } from '../../support/project.ts'
import { type Listed, type ListingService, startListingService } from './listing-service.ts'
import { createReportProject, recordOf } from './report-project.ts'

let service: ListingService

beforeAll(async () => {
  service = await startListingService()
})
afterAll(() => service.close())

function list(changes: Partial<Listed>): void {
  Object.assign(service.listed, { reviewDates: [], links: [], articles: {}, ...changes })
  service.takeRequests()
}

const DATE = '2027-01-31T00:00:00.000Z'

/** An article on the target; with a source, it has the marker of that file. */
function remote(slug: string, options: { source?: string; project?: string; language?: string } = {}) {
  const { source, project = 'demo', language } = options
  const html = `<p>${slug}</p>\n`
  const hash = '0'.repeat(32)
  const marker = {
    project,
    documentKey: documentKey(source ?? '', language ?? null),
    fingerprint: hash,
    sourceHash: hash,
    fieldsHash: '0'.repeat(FIELDS_HASH_LENGTH),
    projectionHash: hash,
  }
  return { name: slug, slug, language, content: source === undefined ? html : appendMarker(html, marker) }
}

const dated = (id: string, name: string) => ({ id, name, article_review_date: DATE })

/** Returns the file by id, for everything that is listed. */
function owners({ reviews }: Report): Record<string, string | undefined> {
  return Object.fromEntries(reviews.overdue.entries.map(({ id, file }) => [id, file]))
}

const kinds = ({ unowned }: Report) => unowned.entries.map(({ id, kind }) => `${id} ${kind}`).toSorted()

const FILES = {
  'content/alpha.md': article('Alpha'),
  'content/beta.md': article('Beta'),
  'content/broken.md': '---\ntitle: [\n---\n',
}

test('with complete state, each list takes one request, and a faulty file keeps its article', async () => {
  list({ reviewDates: ['a', 'b', 'c', 'd', 'x'].map((id) => dated(id, id)) })
  const project = createReportProject(service.url, FILES)
  const ids = { 'alpha.md': 'a', 'former/beta.md': 'b', 'broken.md': 'c', 'gone.md': 'd' }
  await project.know(ids, {
    foreign: [{ id: 'x', title: 'x', slug: 'x', language: null, project: undefined }],
  })
  const report = await project.report()
  expect(service.takeRequests()).toEqual(['/tools/review_dates', '/tools/link_manager', 'OPTIONS /articles'])
  expect(owners(report)).toEqual({
    a: 'content/alpha.md',
    b: 'content/beta.md',
    c: 'content/broken.md',
    d: undefined,
    x: undefined,
  })
  expect(kinds(report)).toEqual(['d orphan', 'x foreign'])
  expect(report.counts).toMatchObject({ files: 3, onTarget: 3, unowned: 2 })
  expect(report.notes).toEqual([
    '1 error in the files keeps kb sync from sending everything: kb check shows it.',
    '1 file cannot be read as an article, so the locations and categories of its article on the target are unknown.',
  ])
})

test('without state, marker, slug and language decide; nothing is written', async () => {
  list({
    reviewDates: [
      dated('a', 'Alpha'),
      dated('b', 'Beta'),
      dated('f', 'Gamma'),
      dated('g', 'Gamma'),
      dated('d', 'Old title'),
      dated('e', 'Else'),
      dated('o', 'Delta'),
    ],
    links: [{ article_id: 'l', url: 'https://x.example.org', working: true, articles: { name: 'Linked' } }],
    articles: {
      a: remote('alpha', { source: 'alpha.md' }),
      b: remote('beta'),
      f: remote('gamma', { source: 'gamma.md', project: 'other' }),
      g: remote('gamma', { language: 'fr' }),
      d: remote('delta', { source: 'delta.md' }),
      e: remote('else', { source: 'gone.md' }),
      o: remote('delta-2'),
      l: remote('linked', { source: 'linked.md' }),
    },
  })
  const names = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Linked']
  const project = createReportProject(
    service.url,
    Object.fromEntries(names.map((name) => [`content/${name.toLowerCase()}.md`, article(name)])),
  )
  const report = await project.report()
  const requests = service.takeRequests()
  expect(owners(report)).toEqual({
    a: 'content/alpha.md',
    b: 'content/beta.md',
    d: 'content/delta.md',
    e: undefined,
    f: undefined,
    g: undefined,
    o: undefined,
  })
  expect(kinds(report)).toEqual(['e orphan', 'f foreign', 'g foreign', 'o foreign'])
  expect(report.counts).toMatchObject({ files: 5, onTarget: 4, unowned: 4, links: 1 })
  expect(report.notes).toEqual([
    '1 of 5 files has no article on the target, and is not in this report until kb sync sends it.',
  ])
  expect(requests.filter((request) => !request.startsWith('/'))).toEqual(['OPTIONS /articles'])
  expect(requests.filter((request) => request.startsWith('/tools/'))).toEqual([
    '/tools/review_dates',
    '/tools/link_manager',
    '/tools/review_dates',
    '/tools/link_manager',
  ])
})

test('an article that was replaced elsewhere is found under its new id, and one that is gone is missing', async () => {
  list({
    reviewDates: [dated('a2', 'Alpha'), dated('z', 'Zeta')],
    articles: { a2: remote('alpha', { source: 'alpha.md' }), c: remote('gamma', { source: 'gamma.md' }) },
  })
  const project = createReportProject(service.url, {
    'content/alpha.md': article('Alpha'),
    'content/beta.md': article('Beta'),
    'content/gamma.md': article('Gamma'),
  })
  await project.know({ 'alpha.md': 'a', 'beta.md': 'b', 'gamma.md': 'c' })
  const report = await project.report()
  expect(owners(report)).toEqual({ a2: 'content/alpha.md', z: undefined })
  // It exists but is in no list, because it has neither date nor links.
  expect(report.counts).toMatchObject({ files: 3, onTarget: 2, unowned: 1 })
})

test('an article sent by an earlier sync without learning its id is found among foreign ones with its title', async () => {
  list({
    reviewDates: [dated('a', 'Alpha'), dated('a2', 'Alpha')],
    articles: { a: remote('alpha', { source: 'x.md', project: 'other' }), a2: remote('alpha') },
  })
  const project = createReportProject(service.url, { 'content/alpha.md': article('Alpha') })
  await project.know({}, { articles: [recordOf('alpha.md', '', { title: 'Alpha' })] })
  expect(owners(await project.report())).toEqual({ a: undefined, a2: 'content/alpha.md' })
  await project.know({}, { articles: [recordOf('alpha.md', 'a', { title: 'Alpha', isUnproven: true })] })
  expect(owners(await project.report())).toEqual({ a: 'content/alpha.md', a2: undefined })
})

const GONE = {
  reviewDates: [dated('a', 'Alpha'), dated('g', 'Gone'), dated('x', 'Else')],
  links: [{ article_id: 'l', url: '/articles/gone', working: true, articles: { name: 'Linked' } }],
  articles: {
    a: remote('alpha', { source: 'alpha.md' }),
    g: remote('gone', { source: 'gone.md' }),
    x: remote('else', { source: 'else.md', project: 'other' }),
    l: remote('linked', { source: 'linked.md' }),
  },
}

test('an orphan is recognised by its marker, although every file has its article', async () => {
  list(GONE)
  const project = createReportProject(service.url, { 'content/alpha.md': article('Alpha') })
  const report = await project.report()
  expect(kinds(report)).toEqual(['g orphan', 'l orphan', 'x foreign'])
  expect(report.links.disagreements.entries.map(({ url, reason }) => [url, reason])).toEqual([
    ['/articles/gone', 'the article is on the target, but its file is gone'],
  ])
  expect(report.notes).toEqual([])
  // Another machine has created it since the last sync of this one.
  await project.know({ 'alpha.md': 'a' })
  expect(kinds(await project.report())).toEqual(['g orphan', 'l orphan', 'x foreign'])
})

test('if there are too many articles to read, a note says that some may be orphans', async () => {
  const many = Array.from({ length: 300 }, (_, index) => dated(`x${index}`, 'Other'))
  list({ ...GONE, reviewDates: [dated('a', 'Alpha'), ...many, dated('g', 'Gone')] })
  const project = createReportProject(service.url, { 'content/alpha.md': article('Alpha') })
  const report = await project.report()
  expect(service.takeRequests()).toHaveLength(2 + 1 + 101 + 1 + 1)
  expect(report.counts).toMatchObject({ onTarget: 1, unowned: 302 })
  expect(kinds(report)).not.toContain('g orphan')
  expect(report.notes).toEqual([
    'The target has too many articles to read them all: some of those without a file may be yours. After a kb sync, .kb/state contains which.',
  ])
  // For one file, the others do not matter.
  expect((await project.report({ sources: ['alpha.md'] })).notes).toEqual([])
})

test('the number of reads depends only on the number of files', async () => {
  const many = Array.from({ length: 3000 }, (_, index) => dated(`x${index}`, index % 2 ? 'Alpha' : 'Other'))
  list({ reviewDates: many })
  const project = createReportProject(service.url, FILES)
  const report = await project.report()
  const read = service.takeRequests().filter((request) => request.startsWith('/articles/'))
  expect(read.length).toBeLessThan(200)
  expect(report.counts).toMatchObject({ files: 3, onTarget: 0, unowned: 3000 })
  expect(report.notes).toContain(
    '3 of 3 files have no article on the target, and are not in this report until kb sync sends them.',
  )
  expect(report.notes).toContain(
    'The target has too many articles to read them all: some of those without a file may be yours. After a kb sync, .kb/state contains which.',
  )
})

test('with paths, the report covers the articles of those files', async () => {
  list({
    reviewDates: [dated('a', 'Alpha'), dated('b', 'Beta'), dated('x', 'Else')],
    links: ['a', 'b', 'x'].map((id) => ({ article_id: id, url: 'https://x.example.org', working: false })),
  })
  const project = createReportProject(service.url, {
    'content/guides/alpha.md': article('Alpha'),
    'content/beta.md': article('Beta'),
  })
  await project.know({ 'guides/alpha.md': 'a', 'beta.md': 'b' })
  const report = await project.report({ sources: ['guides'], keepsHistory: true })
  expect(owners(report)).toEqual({ a: 'content/guides/alpha.md' })
  expect(report.counts).toMatchObject({ files: 1, onTarget: 1, overdue: 1, links: 1, broken: 1, unowned: 0 })
  expect(report.categories).toEqual([{ category: 'Guides', articles: 1, overdue: 1, due: 0, broken: 1 }])
  expect([report.changes, report.history.length]).toEqual([undefined, 1])
})

test('a path without an article is rejected', async () => {
  const project = createReportProject(service.url, { ...FILES, 'content/_part.md': 'Text.' })
  await expect(project.report({ sources: ['alpha.md', '_part.md'] })).rejects.toMatchObject({
    code: 'USAGE',
    message: '_part.md is neither an article nor a folder with articles.',
  })
})
