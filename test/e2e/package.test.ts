// The package as npm installs it.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { article, configFile, createProject, startCommand } from '../support/project.ts'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await startCommand(program, args, { cwd }).ended
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

test('packed and installed elsewhere, it syncs and has its types', { timeout: 120_000 }, async () => {
  const project = createProject({
    'package.json': JSON.stringify({ name: 'demo', private: true, type: 'module' }),
    'kb.config.ts': configFile({ defaults: { status: 'published' } }),
    'content/_categories.yml': '- name: Guides\n',
    'content/first.md': article('First'),
    'use.ts':
      "import { defineConfig, sync, type SyncResult } from 'kb-sync'\n" +
      "import { kb } from 'kb-sync/vite'\n" +
      'export const result: Promise<SyncResult> = sync({ cwd: import.meta.dirname })\n' +
      "export const used = [defineConfig({ project: 'demo' }), kb({ sync: 'build' })]\n" +
      '// @ts-expect-error -- an unknown key\n' +
      "defineConfig({ contnet: 'docs' })\n",
    'tsconfig.json': JSON.stringify({
      compilerOptions: { module: 'nodenext', target: 'es2023', strict: true, noEmit: true, types: ['node'] },
      files: ['use.ts'],
    }),
  })
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', project.root]
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
    'content',
    'dist',
    'docs',
    'package.json',
  ])

  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, `./${packed?.filename}`], project.root)
  const synced = JSON.parse(
    await run('npx', ['--no-install', 'kb', 'sync', '--json'], project.root),
  ) as object
  expect(synced).toMatchObject({ target: 'builtin', summary: { created: 1 } })
  expect(await run('npx', ['--no-install', 'kb-sync', '--version'], project.root)).toMatch(
    /^\d+\.\d+\.\d+\n$/,
  )

  // The packages that a Vite user has beside ours.
  mkdirSync(project.path('node_modules/@types'), { recursive: true })
  for (const name of ['vite', '@types/node'])
    symlinkSync(join(REPOSITORY, 'node_modules', name), project.path(`node_modules/${name}`))
  await run(process.execPath, [join(REPOSITORY, 'node_modules/typescript/bin/tsc'), '-p', '.'], project.root)
})

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
