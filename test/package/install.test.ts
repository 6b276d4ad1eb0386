// The package as npm installs it.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { article, configFile, createProject, startCommand, type TestProject } from '../support/project.ts'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await startCommand(program, args, { cwd }).ended
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

/** What each plugin exports, at least. */
const PLUGINS = {
  vite: ['kb'],
  eleventy: ['default', 'kb'],
  astro: ['default', 'kb', 'kbLoader'],
  docusaurus: ['default', 'parseFrontMatter'],
}
const LOAD_PLUGINS = `
const loaded = {}
for (const [tool, names] of Object.entries(${JSON.stringify(PLUGINS)})) {
  const plugin = await import('kb-sync/' + tool)
  loaded[tool] = names.filter((name) => typeof plugin[name] === 'function')
}
console.log(JSON.stringify(loaded))
`

test(
  'packed and installed elsewhere, it begins in an empty folder, syncs and has its types',
  { timeout: 120_000 },
  async () => {
    const project = createProject({
      'package.json': JSON.stringify({ name: 'demo', private: true, type: 'module' }),
      'kb.config.ts': configFile({ defaults: { status: 'published' } }),
      'content/_categories.yml': '- name: Guides\n',
      'content/first.md': article('First'),
      'use.ts':
        '/// <reference types="kb-sync/virtual" />\n' +
        "import { createKb, defineConfig, type SyncResult } from 'kb-sync'\n" +
        "import { kb } from 'kb-sync/vite'\n" +
        "import { kbLoader } from 'kb-sync/astro'\n" +
        "import docusaurus from 'kb-sync/docusaurus'\n" +
        "import eleventy from 'kb-sync/eleventy'\n" +
        "import { articles } from 'virtual:kb'\n" +
        'export const plugins = [kbLoader(), docusaurus, eleventy]\n' +
        'export const urls: string[] = articles.map(({ url }) => url)\n' +
        'export const result: Promise<SyncResult> = createKb({ cwd: import.meta.dirname }).sync()\n' +
        "export const used = [defineConfig({ project: 'demo' }), kb({ sync: 'build' })]\n" +
        '// @ts-expect-error -- an unknown key\n' +
        "defineConfig({ contnet: 'docs' })\n",
      'load.js': LOAD_PLUGINS,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          strict: true,
          noEmit: true,
          types: ['node'],
        },
        files: ['use.ts'],
      }),
    })
    const pack = ['pack', '--json', '--pack-destination', project.root]
    const [packed] = JSON.parse(await run('npm', pack, REPOSITORY)) as {
      filename: string
      files: { path: string }[]
    }[]
    const folders = new Set(packed?.files.map(({ path }) => path.replace(/\/.*/, '')))
    expect([...folders].toSorted()).toEqual([
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'content',
      'dist',
      'docs',
      'package.json',
    ])

    const manifest = readFileSync(join(REPOSITORY, 'package.json'), 'utf8')
    expect(JSON.parse(manifest)).toHaveProperty('scripts.prepare')

    const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
    await run('npm', ['install', ...flags, `./${packed?.filename}`], project.root)
    // npm warns of this script when it installs a packed file.
    const installed = readFileSync(project.path('node_modules/kb-sync/package.json'), 'utf8')
    expect(JSON.parse(installed)).not.toHaveProperty('scripts.prepare')
    const { packages, kib } = await measure(project.root)
    expect(packages).toBeLessThanOrEqual(150)
    expect(kib).toBeLessThanOrEqual(70 * 1024)
    const synced = JSON.parse(
      await run('npx', ['--no-install', 'kb', 'sync', '--json'], project.root),
    ) as object
    expect(synced).toMatchObject({ target: 'builtin', summary: { created: 1 } })
    expect(await runInstalled(project, 'kb-sync --version', '.')).toMatch(/^\d+\.\d+\.\d+\n$/)

    await beginInEmptyFolder(project)

    // None of their tools is installed.
    expect(JSON.parse(await run(process.execPath, ['load.js'], project.root))).toEqual(PLUGINS)

    // The packages that a Vite user has beside ours.
    mkdirSync(project.path('node_modules/@types'), { recursive: true })
    for (const name of ['vite', '@types/node'])
      symlinkSync(join(REPOSITORY, 'node_modules', name), project.path(`node_modules/${name}`))
    await run(
      process.execPath,
      [join(REPOSITORY, 'node_modules/typescript/bin/tsc'), '-p', '.'],
      project.root,
    )
  },
)

/** How much npm has installed. */
async function measure(folder: string): Promise<{ readonly packages: number; readonly kib: number }> {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, unknown>>
  }
  const kib = Number.parseInt(await run('du', ['-sk', 'node_modules'], folder))
  return { packages: Object.keys(lock.packages).length, kib }
}

/** Runs a command line by the link that npm has made for it: what npx does, without the start of npm. */
function runInstalled({ path }: TestProject, line: string, folder: string): Promise<string> {
  const [name = '', ...args] = line.split(' ')
  return run(path(`node_modules/.bin/${name}`), args, path(folder))
}

/** A folder of a project that has kb-sync, so that the network is not needed to find it. */
async function beginInEmptyFolder(project: TestProject): Promise<void> {
  const { path, read } = project
  mkdirSync(path('help'))
  // npx finds it from here, too.
  const init = ['--no-install', 'kb-sync', 'init', '--yes', '--nested', '--ci', 'github', '--ci', 'gitlab']
  const made = await run('npx', init, path('help'))
  const checked = await runInstalled(project, 'kb check --json', 'help')
  const synced = await runInstalled(project, 'kb sync --json', 'help')
  expect(made).toBe(`  + created  package.json
  + created  .gitignore
  + created  content/_categories.yml
  + created  content/_tags.yml
  + created  content/how-to-write-an-article.md
  + created  .github/workflows/kb.yml
  + created  .gitlab-ci.yml
  + created  kb.config.ts

Next:
  npx kb check  finds problems in the articles
  npx kb sync   publishes what has changed
  npx kb watch  publishes each change at once, and shows the pages
`)
  expect(JSON.parse(checked)).toMatchObject({ summary: { articles: 1, errors: 0, warnings: 0 } })
  expect(JSON.parse(synced)).toMatchObject({ target: 'builtin', summary: { created: 1, failed: 0 } })
  for (const name of ['_categories.yml', '_tags.yml']) {
    const [, schema = ''] =
      /^# yaml-language-server: \$schema=(\S+)\n/.exec(read(`help/content/${name}`)) ?? []
    expect({ name, isShipped: existsSync(join(path('help/content'), schema)) }).toEqual({
      name,
      isShipped: true,
    })
  }
}

test('no runtime dependency runs a script when it is installed', () => {
  const lock = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; hasInstallScript?: boolean }>
  }
  const withScripts = Object.entries(lock.packages).flatMap(
    ([path, { dev, devOptional, hasInstallScript }]) =>
      hasInstallScript === true && dev !== true && devOptional !== true ? [path] : [],
  )
  expect(withScripts).toEqual([])
})
