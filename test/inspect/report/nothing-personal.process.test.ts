// Names and addresses of people appear only in a report that requests them.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportOnTarget, type ReportFlags } from '../../../src/cli/commands/report.ts'
import { REPORT_FORMATS } from '../../../src/cli/report/report-formats.ts'
import { collectingTerminal } from '../../support/collecting-terminal.ts'
import { article, configFile, createProject, type TestProject } from '../../support/project.ts'
import { type ListingService, startListingService } from './listing-service.ts'

/** The people in the data of the target, git and CODEOWNERS. */
const NAMES = ['Zephyrine Quillfeather', 'Marmaduke Oxenford', '@thimblewick']
const USER_NAMES = ['zquill']
const ADDRESSES = ['zephyrine@people.test', 'marmaduke@people.test', 'hob@people.test']

const CREATOR = {
  users_articles_created_byTousers: {
    username: 'zquill',
    first_name: 'Zephyrine',
    last_name: 'Quillfeather',
    email_address: 'zephyrine@people.test',
  },
}

const REVIEW_DATES = ['Alpha', 'Beta', 'Elsewhere'].map((name, index) => ({
  id: `id-${index}`,
  name,
  status: 'published',
  article_review_date: '2020-01-01T00:00:00Z',
  language: null,
  ...CREATOR,
}))

const LINKS = [0, 2].map((index) => ({
  id: `link-${index}`,
  article_id: `id-${index}`,
  url: 'https://gone.test/page',
  working: false,
  articles: { id: `id-${index}`, name: 'x' },
  ...CREATOR,
}))

let service: ListingService

beforeAll(async () => {
  const articles = Object.fromEntries(
    REVIEW_DATES.map(({ id, name }) => [id, { name, slug: name.toLowerCase(), ...CREATOR }]),
  )
  service = await startListingService({ reviewDates: REVIEW_DATES, links: LINKS, articles })
})
afterAll(() => service.close())

function openProject(): TestProject {
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo', target: { url: service.url, apiKey: 'key' } }),
    'content/alpha.md': `${article('Alpha')}\n[Gone](https://gone.test/page)\n`,
    'content/beta.md': article('Beta'),
    CODEOWNERS: '* @thimblewick hob@people.test\n',
  })
  commit(project.root)
  return project
}

function commit(root: string): void {
  const author = ['-c', 'user.name=Marmaduke Oxenford', '-c', 'user.email=marmaduke@people.test']
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '-m', 'x'],
  ]) {
    const { status, stderr } = spawnSync('git', [...author, ...args], { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
}

/** All output of one report. */
async function reportIn({ root }: TestProject, options: ReportFlags): Promise<string> {
  const terminal = collectingTerminal()
  await reportOnTarget([], { cwd: root, verbose: true, ...options }, terminal)
  return terminal.output() + terminal.messages()
}

/** All files of the project that `kb` wrote, with their names. */
function writtenFiles(root: string): string {
  return readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.startsWith(join(root, '.git/')) && file !== join(root, 'CODEOWNERS'))
    .map((file) => `${file}\n${readFileSync(file, 'latin1')}\n`)
    .join('')
}

/** The people in a text, in any form that formats may use. */
function namedIn(text: string, people: readonly string[]): string[] {
  // Calendars wrap long lines, and an @ with a special meaning is escaped.
  const plain = text.replaceAll(/\r?\n[ \t]/g, '').replaceAll(/&#(?:x40|64);|\\u0040|%40|\\@&#8288;/gi, '@')
  return people.filter((name) => plain.toLowerCase().includes(name.toLowerCase()))
}

const PEOPLE = [...NAMES, ...USER_NAMES, ...ADDRESSES]
const PARTS = [...PEOPLE, 'Quillfeather', 'Zephyrine', 'Marmaduke', 'Oxenford', 'thimblewick', 'people.test']

test('by default, no format names people', async () => {
  const project = openProject()
  for (const format of REPORT_FORMATS) {
    const said = await reportIn(project, { format })
    expect(said).toContain('lpha')
    expect([format, namedIn(said, PARTS)]).toEqual([format, []])
  }
})

test.each([
  ['target', 'Zephyrine Quillfeather', ['zephyrine@people.test']],
  ['git', 'Marmaduke Oxenford', ['marmaduke@people.test']],
  ['codeowners', '@thimblewick', ['hob@people.test']],
] as const)(
  'owners by %s: names in every format, and addresses only on request',
  async (ownersFrom, name, addresses) => {
    const project = openProject()
    for (const format of REPORT_FORMATS) {
      const names = await reportIn(project, { format, owners: true, ownersFrom })
      expect([format, namedIn(names, PEOPLE)]).toEqual([format, [name]])
      const emails = await reportIn(project, { format, owners: 'email', ownersFrom })
      expect([format, namedIn(emails, PEOPLE)]).toEqual([format, [name, ...addresses]])
    }
  },
)

test.each(['target', 'git', 'codeowners'] as const)(
  'no file that a report stores names people, whichever %s was requested',
  async (ownersFrom) => {
    const project = openProject()
    const asked = { owners: 'email', ownersFrom, baseline: 'kb-baseline.json' } as const
    // A later report could overwrite the data of an earlier one.
    for (const options of [
      { ...asked, writeBaseline: true },
      asked,
      { format: 'html', out: 'report.html' },
    ] as const) {
      await reportIn(project, options)
      const files = writtenFiles(project.root)
      for (const name of ['kb-baseline.json', '.kb/history/', '.kb/cache/'])
        expect(files).toContain(join(project.root, name))
      expect(files).toContain('https://gone.test/page')
      expect(namedIn(files, PARTS)).toEqual([])
    }
  },
)
