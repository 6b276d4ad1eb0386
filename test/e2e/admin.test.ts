// `kb admin` as an operator uses it: the built binary on a project's database, with and without a server on it.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { confirm } from '../../src/cli/terminal/confirm.ts'
import { formatTable, countColumn, type TextColumn } from '../../src/cli/text/format-table.ts'
import {
  article,
  BINARY,
  configFile,
  createProject,
  startCommand,
  startServing,
  type TestProject,
} from '../support/project.ts'
import { getFrom } from '../support/read-articles.ts'

const GUIDES = { 'content/_categories.yml': '- { name: Guides, slug: guides }\n' }
const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

/** Runs `kb admin … --json` and returns its document. */
async function admin(project: TestProject, ...args: readonly string[]): Promise<unknown> {
  const ended = await project.kb('admin', ...args, '--json')
  expect({ args, code: ended.code, stderr: ended.stderr }).toEqual({ args, code: 0, stderr: '' })
  return ended.json
}

async function failure(project: TestProject, ...args: readonly string[]) {
  const { code, json, stderr } = await project.kb('admin', ...args, '--json')
  return { exit: code, said: stderr !== '', ...(json as { error: { code: string } }).error }
}

test('an operator makes a second knowledge base, gives out a key, and takes it back', async () => {
  const project = createProject({ 'kb.config.ts': configFile({ server: { articleLimit: 500 } }) })
  const site = {
    id: UUID,
    name: 'docs',
    default: false,
    languages: ['fr', 'pt-BR'],
    limit: 20,
    limitSource: 'site',
    articles: 0,
    users: 0,
    keys: 0,
    created: MOMENT,
  }
  const added = await admin(project, 'sites', 'add', ' docs ', '--languages', 'fr,pt-BR', '--limit', '20')
  expect(added).toEqual({ version: 1, site })
  expect(project.read('.kb/.gitignore')).toBe('*\n')
  const server = await startServing(project)
  const names = ['--first-name', 'Anna', '--last-name', 'Ash', '--email', 'anna@example.com']
  expect(await admin(project, 'users', 'add', 'anna', ...names, '--site', 'docs')).toEqual({
    version: 1,
    site: 'docs',
    user: {
      id: UUID,
      username: 'anna',
      firstName: 'Anna',
      lastName: 'Ash',
      email: 'anna@example.com',
      keys: 0,
    },
  })
  const issued = (await admin(
    project,
    'keys',
    'add',
    '--site',
    'docs',
    '--user',
    'anna',
    '--label',
    'CI',
    '--read-only',
    '--expires',
    '9998-12-31',
  )) as { id: string; key: string }
  expect(issued).toEqual({
    version: 1,
    site: 'docs',
    id: expect.stringMatching(/^[0-9a-f]{12}$/),
    key: expect.stringMatching(/^kb_[0-9a-f]{32}_[\w-]{43}$/),
    user: 'anna',
    label: 'CI',
    readOnly: true,
    expires: '9998-12-31T00:00:00.000Z',
  })
  const key = {
    id: issued.id,
    user: 'anna',
    label: 'CI',
    readOnly: true,
    created: MOMENT,
    expires: '9998-12-31T00:00:00.000Z',
    revoked: null,
  }
  const list = await project.kb('admin', 'keys', 'list', '--site', 'docs', '--json')
  expect(list.json).toEqual({ version: 1, site: 'docs', keys: [key] })
  const everything = ['sites', 'keys', 'languages', 'limits', 'categories', 'tags'].map((group) =>
    project.kb('admin', group, 'list', '--site', 'docs', '--json'),
  )
  for (const { stdout } of await Promise.all(everything)) {
    expect(stdout).not.toContain(issued.key)
    expect(stdout).not.toMatch(/Anna|Ash|example\.com/)
  }
  const get = getFrom(server.url, issued.key)
  expect(await get('/api/v2/categories')).toMatchObject({ languages: ['fr', 'pt-BR'], limit: 20, data: [] })
  expect(await failure(project, 'keys', 'revoke', issued.id, '--site', 'docs')).toMatchObject({
    exit: 2,
    code: 'NOT_CONFIRMED',
  })
  const notThere = await failure(project, 'keys', 'revoke', issued.id, '--site', 'default', '--yes')
  expect(notThere).toMatchObject({
    exit: 2,
    code: 'ITEM_UNKNOWN',
    message: `There is no key "${issued.id}" in the site "default". Nothing was changed.`,
  })
  const nowhere = await failure(project, 'keys', 'revoke', '000000000000', '--yes')
  expect(nowhere).toMatchObject({
    message: 'There is no key "000000000000" in any site. Nothing was changed.',
  })
  // The id is enough.
  expect(await admin(project, 'keys', 'revoke', issued.id, '--yes')).toEqual({
    version: 1,
    site: 'docs',
    id: issued.id,
    revoked: MOMENT,
  })
  const refused = await fetch(`${server.url}/api/v2/categories`, {
    headers: { authorization: `Bearer ${issued.key}` },
  })
  expect(refused.status).toBe(401)
  expect(await admin(project, 'limits', 'set', 'none', '--site', 'docs')).toEqual({
    version: 1,
    limit: { site: 'docs', limit: 500, source: 'server.articleLimit', articles: 0 },
  })
  expect(await admin(project, 'sites', 'rename', 'docs', 'handbook')).toMatchObject({
    site: { name: 'handbook' },
  })
  expect(await admin(project, 'sites', 'remove', 'handbook', '--yes')).toEqual({
    version: 1,
    removed: { name: 'handbook', articles: 0, users: 1, keys: 0 },
  })
})

test('what people read: tables, a key alone on stdout, and names of what goes', async () => {
  const project = createProject()
  await admin(project, 'sites', 'add', 'docs')
  await admin(project, 'users', 'add', 'bob')
  const { stdout: key, stderr: note } = await project.kb(
    'admin',
    'keys',
    'add',
    '--user',
    'bob',
    '--label',
    'CI',
  )
  expect(key).toMatch(/^kb_[0-9a-f]{32}_[\w-]{43}\n$/)
  const [, id = ''] = /key ([0-9a-f]{12})\./.exec(note) ?? []
  const asked = await project.kb('admin', 'users', 'remove', 'bob')
  expect([asked.code, asked.stdout]).toEqual([2, ''])
  expect(asked.stderr).toContain(`Remove the user "bob" and revoke the key ${id} (CI)?`)
  expect((await project.kb('admin', 'sites', 'list')).stdout).toBe(
    'NAME     LANGUAGES  ARTICLES      LIMIT  USERS  KEYS\n' +
      'default  en                0  1,000,000      1     1\n' +
      'docs     en                0  1,000,000      0     0\n',
  )
  expect((await project.kb('admin', 'users', 'remove', 'bob', '-y')).stdout).toBe(
    `User "bob" was removed. Keys revoked: ${id} (CI).\n`,
  )
  expect((await project.kb('admin', 'keys', 'list')).stdout).toMatch(
    new RegExp(`^ID +USER +LABEL +MAY +CREATED +EXPIRES +REVOKED\n${id} +CI +write +\\S+ +\\S+\n$`),
  )
  expect((await project.kb('admin', 'languages', 'list')).stdout).toBe(
    'CODE           ARTICLES  CATEGORIES  TAGS\nen    default         0           0     0\n',
  )
})

test('categories and tags are kept by hand, and a sync uses them by their ids', async () => {
  const project = createProject({
    'content/_tags.yml': '- { name: Safety, slug: safe }\n',
    'content/first.md': article('First', { tags: ['safe'] }),
  })
  await admin(project, 'sites', 'add', 'spare')
  const guides = (await admin(project, 'categories', 'add', 'Guides', '--priority', '2')) as {
    category: { id: string }
  }
  const parent = guides.category.id
  const accounts = await admin(
    project,
    'categories',
    'add',
    'Your account',
    '--parent',
    'guides',
    '--description',
    'Who you are',
  )
  const document = {
    id: UUID,
    name: 'Your account',
    path: 'Guides/Your account',
    slug: 'your-account',
    language: 'en',
    description: 'Who you are',
    articles: 0,
    translations: [],
    parent,
    priority: 0,
  }
  expect(accounts).toEqual({ version: 1, site: 'default', category: document })
  const tag = (await admin(project, 'tags', 'add', 'Safety', '--slug', 'safe')) as { tag: { id: string } }
  expect((await project.kb('sync')).code).toBe(0)
  expect(await admin(project, 'tags', 'list')).toEqual({
    version: 1,
    site: 'default',
    tags: [
      {
        ...tag.tag,
        name: 'Safety',
        slug: 'safe',
        language: 'en',
        description: '',
        articles: 1,
        translations: [],
      },
    ],
  })
  const listed = await admin(project, 'categories', 'list')
  expect(listed).toMatchObject({ categories: [{ id: parent, articles: 1, priority: 2 }, document] })
  expect(await failure(project, 'categories', 'remove', 'Guides')).toMatchObject({
    code: 'ITEM_IN_USE',
    exit: 1,
  })
  const moved = await admin(
    project,
    'categories',
    'update',
    'Guides/Your account',
    '--name',
    'You',
    '--slug',
    'you',
    '--parent',
    '',
  )
  expect(moved).toMatchObject({
    category: { path: 'You', slug: 'you', parent: null, description: 'Who you are' },
  })
  const unsure = await failure(project, 'categories', 'remove', parent.toUpperCase())
  expect(unsure).toMatchObject({
    code: 'NOT_CONFIRMED',
    message: expect.stringContaining('Remove the category "Guides"; 1 article will lose it?'),
  })
  expect(await admin(project, 'categories', 'remove', 'guides', '--yes')).toMatchObject({
    removed: { name: 'Guides', articles: 1 },
  })
  expect(await admin(project, 'tags', 'update', 'safe', '--name', 'Security')).toMatchObject({
    tag: { name: 'Security', slug: 'safe', articles: 1 },
  })
  expect(await admin(project, 'tags', 'remove', tag.tag.id, '--yes')).toMatchObject({
    removed: { articles: 1 },
  })
})

test('a backup is written and restored while the server runs', async () => {
  const project = createProject({ ...GUIDES, 'content/first.md': article('First') })
  expect((await project.kb('sync')).code).toBe(0)
  const server = await startServing(project)
  const get = getFrom(server.url, server.apiKey)
  const contents = { sites: 1, users: 0, keys: 0, categories: 1, tags: 0, articles: 1 }
  const file = project.path('kept.db')
  expect(await admin(project, 'backup', 'kept.db')).toEqual({
    version: 1,
    backup: { file, sizeBytes: expect.any(Number), ...contents },
  })
  expect(await failure(project, 'backup', 'kept.db')).toMatchObject({ code: 'NOT_CONFIRMED', exit: 2 })
  expect(await admin(project, 'backup', 'kept.db', '--yes')).toMatchObject({ backup: contents })
  project.write({ 'content/second.md': article('Second') })
  expect((await project.kb('sync')).code).toBe(0)
  const articles = async () =>
    ((await get('/api/v2/tools/review_dates')) as { data: { name: string }[] }).data.map(({ name }) => name)
  expect((await articles()).toSorted()).toEqual(['First', 'Second'])
  expect(await failure(project, 'restore', 'kept.db')).toMatchObject({ code: 'NOT_CONFIRMED', exit: 2 })
  const { kept } = (await admin(project, 'restore', 'kept.db', '--yes')) as { kept: string }
  expect(await articles()).toEqual(['First'])
  expect(await admin(project, 'restore', kept, '--yes')).toMatchObject({ restored: { articles: 2 } })
  expect((await articles()).toSorted()).toEqual(['First', 'Second'])
  expect(kept).toContain(project.path('.kb/backups/'))
  // What a restore takes away, the next sync notices and sends again.
  await admin(project, 'restore', 'kept.db', '--yes')
  expect((await project.kb('sync', '--json')).json).toMatchObject({ summary: { created: 1, unchanged: 1 } })
  const elsewhere = ['--db', 'other/kb.db']
  expect(await admin(project, 'restore', 'kept.db', '--yes', ...elsewhere)).toMatchObject({ kept: null })
  expect(await admin(project, 'sites', 'list', ...elsewhere)).toMatchObject({ sites: [{ articles: 1 }] })
})

test('where there is no user yet, the hint says how to add one', async () => {
  const project = createProject({ 'kb.config.ts': configFile({}) })
  await project.kb('admin', 'sites', 'add', 'docs')
  expect(await failure(project, 'keys', 'add', '--user', 'ana', '--site', 'docs')).toMatchObject({
    hint: 'There is none yet. To add one, use kb admin users add.',
  })
})

test('what cannot be done is said with what to do', async () => {
  const project = createProject()
  expect(await failure(project, 'sites', 'list')).toMatchObject({
    code: 'DATABASE_MISSING',
    exit: 2,
    said: true,
  })
  expect(await failure(project, 'backup', 'kept.db')).toMatchObject({ code: 'DATABASE_MISSING' })
  await admin(project, 'sites', 'add', 'docs')
  await admin(project, 'users', 'add', 'anna')
  const wrong: readonly (readonly [string, ...string[]])[] = [
    ['USAGE', 'sites', 'add', '   '],
    ['USAGE', 'sites', 'add', 'a\u001b[31mb'],
    ['USAGE', 'sites', 'add', 'x', '--languages', 'en,EN'],
    ['USAGE', 'sites', 'add', 'x', '--languages', 'english'],
    ['USAGE', 'sites', 'add', 'x', '--limit', '0'],
    ['USAGE', 'languages', 'add', 'x'],
    ['USAGE', 'limits', 'set', '1.5'],
    ['USAGE', 'categories', 'add', 'A', '--priority', 'high'],
    ['USAGE', 'tags', 'add', 'A', '--slug', 'a b'],
    ['USAGE', 'keys', 'add'],
    ['USAGE', 'keys', 'add', '--user', 'anna', '--expires', 'soon'],
    ['USAGE', 'keys', 'add', '--user', 'anna', '--expires', '2027-02-30'],
    ['USAGE', 'keys', 'add', '--user', 'anna', '--expires', '2020-01-31'],
    ['USAGE', 'keys', 'add', '--user', 'anna', '--expires', '0d'],
    ['USAGE', 'sites', 'list', '--db', 'mysql://user:secret@host/db'],
    ['USAGE', 'backup', 'kept.db', '--db', 'postgres://user:secret@host/db'],
    ['USAGE', 'restore', 'kept.db', '--db', 'postgres://user:secret@host/db'],
    ['USAGE', 'users', 'add', 'bea', '--email', 'notanemail'],
    ['USAGE', 'users', 'update', 'anna', '--email', 'a b@c'],
    ['USAGE', 'users', 'update', 'anna'],
    ['USAGE', 'keys'],
    ['USAGE', 'site', 'list'],
    ['ITEM_EXISTS', 'sites', 'add', 'docs'],
    ['ITEM_EXISTS', 'users', 'add', 'anna'],
    ['ITEM_EXISTS', 'languages', 'add', 'en'],
    ['ITEM_UNKNOWN', 'sites', 'remove', 'doc'],
    ['ITEM_UNKNOWN', 'users', 'list', '--site', 'doc'],
    ['ITEM_UNKNOWN', 'keys', 'add', '--user', 'ana'],
    ['ITEM_UNKNOWN', 'tags', 'remove', 'x'],
    ['ITEM_IN_USE', 'sites', 'remove', 'default'],
    ['ITEM_IN_USE', 'languages', 'remove', 'en'],
    ['BACKUP_UNUSABLE', 'restore', 'none.db'],
    ['BACKUP_UNUSABLE', 'restore', '.kb'],
    ['DATABASE_MISSING', 'copy', '--from', 'none.db', '--to', 'new.db'],
    ['USAGE', 'copy'],
    ['USAGE', 'copy', '--to', 'mysql://user:secret@host/db'],
    ['BACKUP_UNWRITABLE', 'backup', 'none/kept.db'],
    ['BACKUP_UNWRITABLE', 'backup', '.kb', '--yes'],
    ['BACKUP_UNWRITABLE', 'backup', '/dev/null', '--yes'],
  ]
  const exits = { ITEM_EXISTS: 1, ITEM_IN_USE: 1, BACKUP_UNUSABLE: 1, BACKUP_UNWRITABLE: 1 } as const
  for (const [code, ...args] of wrong) {
    const exit = exits[code as keyof typeof exits] ?? 2
    expect({ args, ...(await failure(project, ...args)) }).toMatchObject({ args, code, exit })
  }
  for (const db of [
    'mysql://user:secret@host/db',
    'mysql://user:top@secret@host/db',
    'postgres://user:secret@127.0.0.1:1/db',
  ]) {
    const { stderr } = await project.kb('admin', 'sites', 'list', '--db', db)
    expect(stderr).toContain(db.slice(0, 5))
    expect(stderr).not.toContain('secret')
  }
  expect((await project.kb('admin')).code).toBe(2)
  expect(await project.kb('admin', 'site', 'list')).toMatchObject({
    code: 2,
    stderr: 'error: Unknown command "site". [USAGE]\nhint: Did you mean sites?\n',
  })
  expect(await failure(project, 'restore', 'none.db')).toMatchObject({
    message: `There is no file ${project.path('none.db')}. Nothing was changed.`,
  })
  const { json } = await project.run(['admin', 'sites', 'list', '--json'], { env: { KB_URLL: 'x' } })
  expect(json).toMatchObject({ error: { code: 'ENVIRONMENT_INVALID', hint: 'Did you mean KB_URL?' } })
})

test('a database is copied, and the copy is synced like the original', async () => {
  const project = createProject({ ...GUIDES, 'content/first.md': article('First') })
  expect((await project.kb('sync')).code).toBe(0)
  const { stdout, stderr } = await project.kb('admin', 'copy', '--to', 'copies/new.db')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('copies/new.db, and compared ')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    ': 1 article, 1 site, 0 users, 0 keys, 1 category and 0 tags.',
  )
  expect(stderr).toMatch(/^Copying \d+…\nVerifying \d+…\n$/)
  expect(await failure(project, 'copy', '--to', 'copies/new.db')).toMatchObject({
    code: 'COPY_REFUSED',
    exit: 1,
  })
  const back = await admin(project, 'copy', '--from', 'copies/new.db', '--to', 'back.db')
  expect(back).toMatchObject({
    copied: {
      from: project.path('copies/new.db'),
      to: project.path('back.db'),
      continued: false,
      articles: 1,
      tables: { articles: { rows: 1, digest: expect.stringMatching(/^[\da-f]{64}$/) } },
    },
  })
  const { code, json } = await project.run(['sync', '--json'], { env: { KB_DB: 'back.db' } })
  expect([code, json]).toMatchObject([0, { summary: { created: 0, unchanged: 1 }, operations: [] }])
})

test('links are listed from the command line', async () => {
  const body = '[one](https://example.com/gone)'
  const project = createProject({ ...GUIDES, 'content/first.md': article('First', { body }) })
  expect((await project.kb('sync')).code).toBe(0)
  expect(await admin(project, 'links', 'list')).toEqual({ version: 1, site: 'default', links: [] })
  expect((await project.kb('admin', 'links', 'list', '--all')).stdout).toMatch(
    /^First\n {2}https:\/\/example\.com\/gone\n {4}works: .*\n$/,
  )
})

test('whoever stops reading ends neither the command nor its exit code', async () => {
  const project = createProject()
  await admin(project, 'sites', 'add', 'docs')
  const shell = (script: string) =>
    startCommand('sh', ['-c', script, process.execPath, BINARY], { cwd: project.root }).ended
  // `true` is gone long before the program writes.
  for (const words of ['admin sites list', 'admin keys --help', '--version', 'schema tags']) {
    expect(await shell(`{ "$0" "$1" ${words}; echo "code $?" >&2; } | true`)).toMatchObject({
      stdout: '',
      stderr: 'code 0\n',
    })
  }
  expect(await shell('{ "$0" "$1" snyc 2>&1; echo "code $?" >&3; } 3>&2 | true')).toMatchObject({
    stderr: 'code 2\n',
  })
})

test('a start whose default language does not fit what is stored stops and changes nothing', async () => {
  const project = createProject({ ...GUIDES, 'content/first.md': article('First') })
  expect((await project.kb('sync')).code).toBe(0)
  await admin(project, 'languages', 'add', 'fr')
  project.write({
    'kb.config.ts': configFile({ defaultLanguage: 'fr', server: { languages: ['fr', 'en'] } }),
  })
  const { code, stderr } = await project.kb('serve', '--port', '0')
  expect(code).toBe(1)
  expect(stderr).toContain('The default language cannot change from "en" to "fr": 1 article')
  expect(await admin(project, 'languages', 'list')).toMatchObject({
    languages: [{ code: 'en' }, { code: 'fr' }],
  })
})

test('on a terminal the answer decides', async () => {
  const answer = async (typed: string) => {
    const terminal = () => Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
    const [input, output] = [terminal(), terminal()]
    const asked = confirm('Remove it all?', { input, output })
    input.write(typed)
    return asked.then(
      () => 'yes',
      (error: unknown) => (error as { code: string }).code,
    )
  }
  expect(await answer('y')).toBe('yes')
  expect(await answer('n')).toBe('NOT_CONFIRMED')
  // Return alone is the safe answer, and so is Ctrl-C.
  expect(await answer('\r')).toBe('NOT_CONFIRMED')
  expect(await answer('\u0003')).toBe('NOT_CONFIRMED')
})

test('a table fits the terminal; ids are never cut, and nothing in it controls the terminal', () => {
  const columns: readonly TextColumn<{ id: string; name: string; count: number }>[] = [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'NAME', cell: ({ name }) => name, isFlexible: true },
    countColumn('N', ({ count }) => count),
  ]
  const rows = [{ id: '0123456789ab', name: 'A long name\u001b[2J that goes on and on and on', count: 1000 }]
  expect(formatTable(columns, rows, 40)).toBe(
    'ID            NAME                     N\n0123456789ab  A long name\\u{1b}[…  1,000\n',
  )
  expect(formatTable(columns, rows, Number.POSITIVE_INFINITY)).toContain('and on and on  1,000\n')
})
