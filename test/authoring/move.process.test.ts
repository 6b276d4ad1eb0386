import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { article, type Files as TextFiles } from '../support/project.ts'
import { png } from '../support/images.ts'
import { createMemoryService } from '../support/memory-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'
import { type AuthoringProject, createAuthoringProject } from './authoring-project.ts'

const page = (title: string, body: string, extra = ''): string =>
  `---\ntitle: ${title}\ncategories: [guides]\n${extra}---\n${body}\n`

const CATEGORIES = '- name: Guides\n  slug: guides\n'

const FILES: TextFiles = {
  '_categories.yml': CATEGORIES,
  'index.md': page('Home', '[reset](guides/reset.md#how) ![p](img/p.png)'),
  'guides/index.md': page('Guides', '[home](../index.md)', 'slug: all\n'),
  'guides/reset.md': page('Reset', '## How\n\n[guides](.) [home](../index.md)\n\n![p](../img/p.png)'),
}

function project(files: TextFiles = FILES): AuthoringProject {
  return createAuthoringProject({ ...files, 'img/p.png': png() })
}

/** Returns the differences between files in `content/`. */
function changesOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return Object.fromEntries(
    names.flatMap((name) => (before[name] === after[name] ? [] : [[name, after[name]]])),
  )
}

async function moved(from: string, to: string, files?: TextFiles) {
  const one = project(files)
  const before = one.contents()
  const result = await one.move(from, to)
  expect(await one.check()).toEqual([])
  return { changes: changesOf(before, one.contents()), result }
}

describe('changed files', () => {
  test('a file that keeps its name', async () => {
    const { changes, result } = await moved('content/guides/reset.md', 'content/accounts/')
    expect(changes).toEqual({
      'accounts/reset.md': page(
        'Reset',
        '## How\n\n[guides](../guides) [home](../index.md)\n\n![p](../img/p.png)',
      ),
      'guides/reset.md': undefined,
      'index.md': page('Home', '[reset](accounts/reset.md#how) ![p](img/p.png)'),
    })
    expect(result).toEqual({
      from: 'content/guides/reset.md',
      to: 'content/accounts/reset.md',
      moved: 1,
      wasMoved: false,
      dryRun: false,
      files: [
        {
          file: 'content/accounts/reset.md',
          links: [{ line: 7, column: 10, before: '.', after: '../guides' }],
        },
        {
          file: 'content/index.md',
          links: [{ line: 5, column: 9, before: 'guides/reset.md#how', after: 'accounts/reset.md#how' }],
        },
      ],
      left: [],
    })
  })

  test('a new name does not change the URL', async () => {
    const { changes } = await moved('guides/reset.md', 'guides/new.md')
    expect(changes).toEqual({
      'guides/new.md': page(
        'Reset',
        '## How\n\n[guides](.) [home](../index.md)\n\n![p](../img/p.png)',
        'slug: reset\n',
      ),
      'guides/reset.md': undefined,
      'index.md': page('Home', '[reset](guides/new.md#how) ![p](img/p.png)'),
    })
  })

  test('a folder', async () => {
    const { changes, result } = await moved('content/guides', 'content/help')
    expect(changes).toEqual({
      'guides/index.md': undefined,
      'guides/reset.md': undefined,
      'help/index.md': FILES['guides/index.md'],
      'help/reset.md': FILES['guides/reset.md'],
      'index.md': page('Home', '[reset](help/reset.md#how) ![p](img/p.png)'),
    })
    expect(result.moved).toBe(2)
  })

  test('an image that several articles use', async () => {
    const { changes } = await moved('img/p.png', 'guides/p.png')
    expect(Object.keys(changes)).toEqual(['guides/p.png', 'guides/reset.md', 'img/p.png', 'index.md'])
    expect(changes['guides/reset.md']).toContain('![p](p.png)')
    expect(changes['index.md']).toContain('![p](guides/p.png)')
  })

  test('every syntax of a URL, and nothing that only looks like one', async () => {
    const head = '\uFEFF---\r\ntitle:   Home # mine\r\ncategories: [guides]\r\n---\r\n'
    const body = [
      '[a](./a/x.md "t") [a](/a/x.md) [a](<a/x.md?q=1#one> \'t\')  ',
      '[a][r] ![i](../content/a/i.png)',
      '',
      '[r]: a/x.md#one  "title"',
      '[s]: <a/x.md>',
      '',
      "<a class=x href='a/x.md#one'>x</a> <img src=\"a/i.png\" srcset='a/i.png 1x, a/i.png 2x'>",
      '',
      '| a\\|b | [c](a/x.md) |',
      '|--|--|',
      '`a/x.md` [t](https://example.com/a/x.md)',
      '',
      '> - [a](a/%78.md) &amp; [a](a&#47;x.md)',
      '',
      '<!-- include: a/_s.md -->',
    ].join('\r\n')
    const files = {
      '_categories.yml': CATEGORIES,
      'index.md': `${head}${body}`,
      'a/x.md': page('X', '## One\n\n[c](../_categories.yml#guides)'),
      'a/_s.md': 'text [x](x.md)',
    }
    const one = createAuthoringProject({ ...files, 'a/i.png': png() })
    const found = await one.check()
    await one.move('a', 'b c/d')
    const after = one.contents()
    expect(after['index.md']).toBe(
      head +
        [
          '[a](./b%20c/d/x.md "t") [a](/b%20c/d/x.md) [a](<b c/d/x.md?q=1#one> \'t\')  ',
          '[a][r] ![i](../content/a/i.png)',
          '',
          '[r]: b%20c/d/x.md#one  "title"',
          '[s]: <b c/d/x.md>',
          '',
          "<a class=x href='b c/d/x.md#one'>x</a> <img src=\"b c/d/i.png\" srcset='b%20c/d/i.png 1x, b%20c/d/i.png 2x'>",
          '',
          '| a\\|b | [c](b%20c/d/x.md) |',
          '|--|--|',
          '`a/x.md` [t](https://example.com/a/x.md)',
          '',
          '> - [a](b%20c/d/%78.md) &amp; [a](b%20c/d/x.md)',
          '',
          '<!-- include: b c/d/_s.md -->',
        ].join('\r\n'),
    )
    expect(after['b c/d/x.md']).toBe(page('X', '## One\n\n[c](../../_categories.yml#guides)'))
    expect(await one.check()).toEqual(found)
  })

  test('translations refer to their original by its new path', async () => {
    const { changes } = await moved('a.md', 'b/a.md', {
      '_categories.yml': CATEGORIES,
      'a.md': page('A', ''),
      'fr/a.md': page('A', '', 'language: fr\n# the original\ntranslationOf: "a.md"\n'),
      'de.md': page('A', '', 'language: de\ntranslationOf: a\n'),
    })
    expect(changes).toEqual({
      'a.md': undefined,
      'b/a.md': page('A', ''),
      'fr/a.md': page('A', '', 'language: fr\n# the original\ntranslationOf: "b/a.md"\n'),
    })
  })

  test('the path of a banner, when the article or the image moves', async () => {
    const banner = (path: string) => page('A', '', `seoBannerUrl: ${path} # shared\n`)
    const files = { 'guides/a.md': banner('../img/a.png'), 'b.md': banner('/img/a.png'), 'img/a.png': 'png' }
    const one = project(files)
    const { files: changed } = await one.move('guides/a.md', 'guides/new/a.md')
    expect(changed).toEqual([{ file: 'content/guides/new/a.md', links: [], seoBannerUrl: '../../img/a.png' }])
    expect(one.contents()['guides/new/a.md']).toBe(banner('../../img/a.png'))
    await one.move('img', 'pictures')
    expect(one.contents()['guides/new/a.md']).toBe(banner('../../pictures/a.png'))
    expect(one.contents()['b.md']).toBe(files['b.md'])
  })

  test('links in long descriptions, in any YAML style', async () => {
    const taxonomy = (to: string) =>
      [
        '- name: Guides # one',
        '  slug: guides',
        '  longDescription: |',
        `    [a.md](${to}) and`,
        '',
        `    - [a.md](<${to}#one>)`,
        '  translations:',
        '    fr:',
        '      name: Guides',
        '      slug: guides',
        `      longDescription: "é [x](${to}) \\"y\\""`,
        '- name: Other',
        `  longDescription: '[x](${to})'`,
        '- name: More',
        '  longDescription: >-',
        '    a long',
        `    line [x](${to})`,
        '',
      ].join('\n')
    const { changes, result } = await moved('a.md', 'b/c.md', {
      '_categories.yml': taxonomy('a.md'),
      'a.md': page('A', '## One', 'slug: a\n'),
    })
    expect(changes['_categories.yml']).toBe(taxonomy('b/c.md'))
    const places = result.files.flatMap(({ links }) => links.map(({ line, column }) => `${line}:${column}`))
    expect(places).toEqual(['4:12', '6:15', '11:31', '13:25', '17:14'])
  })

  test('the images of categories', async () => {
    const taxonomy = (to: string) =>
      `- { name: A, thumbnailUrl: ${to}/a.png, iconUrl: 'https://a.example/img/a.png' }\n- name: B\n  iconUrl: "./${to}/a.png"\n`
    const one = project({ '_categories.yml': taxonomy('img'), 'a.md': page('A', ''), 'img/a.png': 'png' })
    const { files, left } = await one.move('img', 'pictures')
    expect(one.contents()['_categories.yml']).toBe(taxonomy('pictures'))
    expect({ files, left }).toEqual({
      files: [
        {
          file: 'content/_categories.yml',
          links: [
            { line: 1, column: 28, before: 'img/a.png', after: 'pictures/a.png' },
            { line: 3, column: 13, before: './img/a.png', after: './pictures/a.png' },
          ],
        },
      ],
      left: [],
    })
    expect((await one.move('pictures/a.png', 'b: c.png')).left).toEqual([
      {
        file: 'content/_categories.yml',
        reason: '"pictures/a.png" is in a position where it cannot be changed',
      },
    ])
    expect(one.contents()['_categories.yml']).toBe(
      taxonomy('pictures').replace('"./pictures/a.png"', '"./b: c.png"'),
    )
  })

  test('links in a file with broken frontmatter', async () => {
    const one = project({
      ...FILES,
      'broken.md': '---\ntitle: [\n---\n[r](guides/reset.md)\n',
      'open.md': '---\n[r](guides/reset.md)\n',
    })
    const { left } = await one.move('guides/reset.md', 'x/reset.md')
    expect(one.contents()['broken.md']).toBe('---\ntitle: [\n---\n[r](x/reset.md)\n')
    expect(left).toEqual([
      { file: 'content/open.md', reason: 'its frontmatter is not closed, so its links could not be read' },
    ])
  })

  test('a folder page that takes precedence over another file', async () => {
    const { changes } = await moved('x.md', 'guides/index.md', {
      '_categories.yml': CATEGORIES,
      'x.md': page('X', ''),
      'y.md': page('Y', '[g](guides/) [r](guides/README.md)'),
      'guides/README.md': page('Guides', ''),
    })
    expect(changes['y.md']).toBe(page('Y', '[g](guides/README.md) [r](guides/README.md)'))
  })

  test('nothing if the content folder is missing', async () => {
    const one = project({})
    rmSync(join(one.root, 'content'), { recursive: true })
    await expect(one.move('a', 'b')).rejects.toMatchObject({ code: 'CONTENT_UNREADABLE' })
  })

  test('nothing in a dry run', async () => {
    const one = project()
    const before = one.contents()
    const planned = await one.move('guides', 'help', { dryRun: true })
    expect(one.contents()).toEqual(before)
    const done = await one.move('guides', 'help')
    expect({ ...planned, dryRun: false }).toEqual(done)
  })
})

describe('slugs', () => {
  test('--new-slug derives the slug from the new name, and translations follow', async () => {
    const one = project({ ...FILES, 'fr.md': page('R', '', 'language: fr\ntranslationOf: reset\n') })
    const result = await one.move('guides/reset.md', 'guides/again.md', { newSlug: true })
    expect(one.contents()['guides/again.md']).not.toContain('slug')
    expect(result.files.find(({ file }) => file === 'content/guides/again.md')).toMatchObject({
      aliases: ['reset'],
    })
    expect(one.contents()['fr.md']).toContain('translationOf: again')
    expect(result.files.find(({ file }) => file === 'content/fr.md')).toEqual({
      file: 'content/fr.md',
      links: [],
      translationOf: 'again',
    })
    expect(await one.check()).toEqual([])
  })

  test('--new-slug replaces a slug in the file, if the new name results in another one', async () => {
    const pinned = { ...FILES, 'faq.md': page('FAQ', '', 'slug: questions\n') }
    const one = project({ ...pinned, 'fr.md': page('F', '', 'language: fr\ntranslationOf: questions\n') })
    await one.move('faq.md', 'guides/faq.md', { newSlug: true })
    expect(one.contents()['guides/faq.md']).toContain('slug: questions')
    const result = await one.move('guides/faq.md', 'help.md', { newSlug: true })
    expect(one.contents()['help.md']).toContain('slug: help')
    expect(one.contents()['fr.md']).toContain('translationOf: help')
    expect(result.files.find(({ file }) => file === 'content/help.md')).toMatchObject({ slug: 'help' })
    expect(await one.check()).toEqual([])
  })

  test('--new-slug keeps the old slug as an alias, also for a file moved by hand, and removes it when moved back', async () => {
    const one = project()
    const aliases = () => /^aliases: .*$/m.exec(one.contents()['guides/again.md'] ?? '')?.[0]
    renameSync(join(one.root, 'content/guides/reset.md'), join(one.root, 'content/guides/again.md'))
    await one.move('guides/reset.md', 'guides/again.md', { newSlug: true })
    expect(aliases()).toBe('aliases: [reset]')
    await one.move('guides/again.md', 'guides/third.md', { newSlug: true })
    await one.move('guides/third.md', 'guides/reset.md', { newSlug: true })
    await one.move('guides/reset.md', 'guides/again.md', { newSlug: true })
    expect(aliases()).toBe('aliases: [third, reset]')
    expect(await one.check()).toEqual([])
  })

  test("--new-slug adds no alias that is another article's slug or not a slug, and none to a file without fields", async () => {
    const same = page('Same', '')
    const one = project({
      '_categories.yml': CATEGORIES,
      'a/same.md': same,
      'b/same.md': same,
      '# #.md': same,
      'empty.md': '---\n---\nText.\n',
    })
    await one.move('a/same.md', 'a/other.md', { newSlug: true })
    await one.move('# #.md', 'c.md', { newSlug: true })
    expect([one.contents()['a/other.md'], one.contents()['c.md']]).toEqual([same, same])
    await one.move('empty.md', 'blank.md', { newSlug: true })
    expect(one.contents()['blank.md']).toBe('---\n---\nText.\n')
  })

  test('--new-slug is rejected if another article has the slug', async () => {
    const one = project()
    const before = one.contents()
    await expect(one.move('guides/reset.md', 'x/all.md', { newSlug: true })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'x/all.md would get the slug "all", which guides/index.md already has.',
    })
    expect(one.contents()).toEqual(before)
  })

  test('index.md keeps the slug from its folder', async () => {
    const one = project({ '_categories.yml': CATEGORIES, 'faq/index.md': page('FAQ', '') })
    await one.move('faq', 'help/questions')
    expect(one.contents()['help/questions/index.md']).toContain('slug: faq')
  })
})

describe('rejected moves', () => {
  test.each([
    ['gone.md', 'x.md', 'There is no file or folder gone.md, and none at x.md either.'],
    ['kb.config.ts', 'x.md', 'kb.config.ts is not in the content folder.'],
    ['guides/reset.md', '../x.md', '../x.md is not in the content folder.'],
    ['guides/reset.md', 'index.md', 'There is already a file or folder index.md. Nothing was moved.'],
    [
      'guides/reset.md',
      'Index.md',
      'index.md differs from Index.md only in case or accents. Nothing was moved.',
    ],
    ['guides', 'guides/inner', 'guides cannot be moved into itself.'],
    ['guides', 'guides', 'guides already exists.'],
    ['guides/reset.md', 'guides/', 'guides/reset.md already exists.'],
    ['content', 'content/x', 'The content folder itself cannot be moved.'],
    ['_categories.yml', 'x.yml', '_categories.yml must keep its location and its name.'],
    [
      'guides/reset.md',
      '_drafts/reset.md',
      '_drafts/reset.md would no longer be an article. Nothing was moved.',
    ],
    ['guides/reset.md', 'reset.txt', 'reset.txt would no longer be an article. Nothing was moved.'],
    [
      'guides/reset.md',
      '.x/reset.md',
      '.x/reset.md has a name that starts with a dot, so it would not be part of the content.',
    ],
    ['guides/reset.md', 'index.md/x.md', /is a file, not a folder/],
    [
      'tpyo.md',
      'index.md',
      'There is no file or folder tpyo.md, and there is no sign that it was moved to index.md.',
    ],
    [
      '_snippet.md',
      'snippet.md',
      'snippet.md would become an article, but it has no frontmatter. Nothing was moved.',
    ],
  ])('%s to %s', async (from, to, message) => {
    const one = project({ ...FILES, '_snippet.md': 'text' })
    writeFileSync(join(one.root, 'kb.config.ts'), '')
    const before = one.contents()
    await expect(one.move(from, to)).rejects.toMatchObject({
      code: 'USAGE',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
    expect(one.contents()).toEqual(before)
  })

  test('symbolic links, and folders behind them', async () => {
    const one = project()
    symlinkSync(join(one.root, 'content/index.md'), join(one.root, 'content/link.md'))
    mkdirSync(join(one.root, 'outside'))
    symlinkSync(join(one.root, 'outside'), join(one.root, 'content/out'))
    await expect(one.move('link.md', 'x.md')).rejects.toMatchObject({
      message: 'link.md is a symbolic link.',
    })
    await expect(one.move('guides/reset.md', 'out/x.md')).rejects.toMatchObject({
      message: 'out/x.md is behind a symbolic link.',
    })
  })
})

function commitAll({ root }: { readonly root: string }): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'all')
}

describe('on disk', () => {
  test('a change of case only, the mode of a file, and empty folders', async () => {
    const one = project()
    const [old, now] = ['guides/reset.md', 'Accounts/Deep/Reset.md'].map((name) =>
      join(one.root, 'content', name),
    )
    chmodSync(old as string, 0o640)
    await one.move('guides/index.md', 'guides/Index.md')
    await one.move('guides/reset.md', 'Accounts/Deep/Reset.md')
    expect(statSync(now as string).mode & 0o777).toBe(0o640)
    await one.move('Accounts/Deep/Reset.md', 'guides/')
    expect(existsSync(dirname(dirname(now as string)))).toBe(false)
    expect(readdirSync(join(one.root, 'content/guides')).toSorted()).toEqual(['Index.md', 'Reset.md'])
  })

  test('a file that was moved by other means gets its links updated', async () => {
    const [byKb, byHand] = [project(), project()]
    await byKb.move('guides', 'help')
    renameSync(join(byHand.root, 'content/guides'), join(byHand.root, 'content/help'))
    const result = await byHand.move('guides', 'help')
    expect(result).toMatchObject({ moved: 0, wasMoved: true })
    expect(byHand.contents()).toEqual(byKb.contents())
    // Nothing is left to do.
    await expect(byHand.move('guides', 'help')).rejects.toMatchObject({ code: 'USAGE' })
  })

  test('a file that git knows to have existed needs no link to it', async () => {
    const one = project({ '_categories.yml': CATEGORIES, 'a.md': page('A', ''), 'b/c.md': page('C', '') })
    commitAll(one)
    renameSync(join(one.root, 'content/a.md'), join(one.root, 'content/b/d.md'))
    await one.move('content/a.md', 'content/b/d.md')
    expect(one.contents()['b/d.md']).toBe(page('A', '', 'slug: a\n'))
  })

  test('a broken link is no sign of a move if the file was known before, and none at the old path ever was', async () => {
    const files = {
      '_categories.yml': CATEGORIES,
      'a.md': page('A', '[p](ping.md) ![o](old.png)'),
      'new.md': page('New', ''),
    }
    const rejected = { code: 'USAGE', message: expect.stringMatching(/was not moved from there/) }
    const inGit = project(files)
    commitAll(inGit)
    const before = inGit.contents()
    await expect(inGit.move('ping.md', 'new.md')).rejects.toMatchObject(rejected)
    await expect(inGit.move('old.png', 'img/p.png')).rejects.toMatchObject(rejected)
    expect(inGit.contents()).toEqual(before)
    // Once git knows the old path, a link to it is a sign, also after the move was committed.
    renameSync(join(inGit.root, 'content/new.md'), join(inGit.root, 'content/ping.md'))
    commitAll(inGit)
    renameSync(join(inGit.root, 'content/ping.md'), join(inGit.root, 'content/new.md'))
    commitAll(inGit)
    await inGit.move('ping.md', 'new.md')
    expect(inGit.contents()['new.md']).toBe(page('New', '', 'slug: ping\n'))

    const synced = createSyncProject(
      'http://service.test',
      { 'content/a.md': article('A', { body: '[p](ping.md)' }), 'content/new.md': article('New') },
      { rules: { 'link-file-missing': 'warning' } },
    )
    await synced.sync({ client: { send: createMemoryService().connect() } })
    const { moveSource } = await import('../../src/authoring/move/move-source.ts')
    const move = () =>
      moveSource({ settings: synced.settings, cwd: synced.root, from: 'ping.md', to: 'new.md' })
    const wayOut = expect.stringMatching(/^If you moved it, move it back to ping\.md, /) as unknown
    await expect(move()).rejects.toMatchObject({ ...rejected, hint: wayOut })
    // An earlier run kept this slug.
    writeFileSync(join(synced.root, 'content/new.md'), article('New', { slug: 'ping' }))
    expect(await move()).toMatchObject({ wasMoved: true, files: [{ file: 'content/a.md' }] })
  })

  test('a run that was interrupted at any point can be repeated', async () => {
    const files = {
      ...FILES,
      'help/old.md': page('Old', '[i](index.md)'),
      'help/index.md': page('Help', '', 'slug: h\n'),
    }
    const whole = project({ ...files, 'guides/old.md': page('Two', '[i](index.md)', 'slug: two\n') })
    const start = whole.contents()
    await whole.move('guides/old.md', 'help/two.md')
    // Its link leads to a page from either folder: only the note tells from which one it was read.
    const cut = createAuthoringProject({ ...start, 'img/p.png': png() })
    chmodSync(join(cut.root, 'content/guides'), 0o755)
    const note = { from: 'guides/old.md', to: 'help/two.md', files: {} as Record<string, object> }
    const { digest } = await import('../../src/core/digest.ts')
    note.files['help/two.md'] = {
      before: digest(start['guides/old.md'] ?? ''),
      after: digest(whole.contents()['help/two.md'] ?? ''),
    }
    mkdirSync(join(cut.root, '.kb'))
    writeFileSync(join(cut.root, '.kb/move.json'), JSON.stringify(note))
    renameSync(join(cut.root, 'content/guides/old.md'), join(cut.root, 'content/help/two.md'))
    await cut.move('guides/old.md', 'help/two.md')
    expect(cut.contents()).toEqual(whole.contents())
    expect(existsSync(join(cut.root, '.kb/move.json'))).toBe(false)
  })

  test('a link whose original base is unknown is reported', async () => {
    const one = project({
      '_categories.yml': CATEGORIES,
      'a/x.md': page('X', '[i](index.md)'),
      'a/index.md': page('A', ''),
      'b/index.md': page('B', ''),
      'c.md': page('C', '[x](a/x.md)'),
    })
    renameSync(join(one.root, 'content/a/x.md'), join(one.root, 'content/b/x.md'))
    const { left } = await one.move('a/x.md', 'b/x.md')
    expect(left).toEqual([
      {
        file: 'content/b/x.md',
        reason: '"index.md" points to one file from the old location and to another from the new one',
      },
    ])
  })
})

test('a moved file stays the same article', async () => {
  const service = createMemoryService()
  const files = {
    'content/guides/reset.md': article('Reset', { body: '[home](../index.md)' }),
    'content/index.md': article('Home', { slug: 'home', body: '[reset](guides/reset.md)' }),
  }
  const one = createSyncProject('http://service.test', files)
  const sync = () => one.sync({ client: { send: service.connect() } })
  expect(outcomeOf(await sync())).toMatchObject({ created: 2 })
  const { moveSource } = await import('../../src/authoring/move/move-source.ts')
  await moveSource({ settings: one.settings, cwd: one.root, from: 'guides', to: 'help' })
  await moveSource({ settings: one.settings, cwd: one.root, from: 'help/reset.md', to: 'help/other.md' })
  expect(outcomeOf(await sync())).toEqual(outcomeOf(await sync()))
  one.forgetState()
  expect(outcomeOf(await sync())).toMatchObject({ unchanged: 2 })
})
