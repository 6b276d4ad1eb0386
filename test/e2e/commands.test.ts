// Most tests run commands in their own process. Each command once as users start it, and what it says there is the same.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { article, configFile, createProject, type Ended, type TestProject } from '../support/project.ts'

const FILES = {
  'kb.config.ts': configFile({ project: 'demo', defaults: { status: 'published' } }),
  'package.json': '{ "private": true, "type": "module" }\n',
  'content/_categories.yml': '- name: Guides\n  slug: guides\n',
  'content/first.md': article('First', { body: 'See [the second](second.md).\n\n![Dot](dot.svg)' }),
  'content/second.md': article('Second'),
  'content/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

const COMMANDS: readonly (readonly string[])[] = [
  ['--version'],
  ['snyc'],
  ['init', '--yes', '--no-install'],
  ['new', 'How to begin'],
  ['mv', 'content/second.md', 'content/deep/second.md'],
  ['check'],
  ['explain', 'link-file-missing'],
  ['assets', 'public'],
  ['plan', '--json'],
  ['sync'],
  ['watch', '--target', 'nowhere'],
  ['pull', '--json'],
  ['report', '--no-history', '--json'],
  ['serve', '--port', '0', '--db', 'content'],
  ['admin', 'sites', 'list'],
  ['schema', 'tags'],
  ['doctor', '--json'],
  ['completion', 'bash'],
]

test.each(COMMANDS.map((args) => ({ line: args.join(' '), args })))('kb $line', async ({ args }) => {
  // kb init makes them.
  const files = args[0] === 'init' ? {} : FILES
  const [own, here] = [createProject(files), createProject(files)]
  const [started, called] = await Promise.all([own.start(args).ended, here.kb(...args)])
  expect(saidBy(started, own)).toEqual(saidBy(called, here))
})

test.each([
  ['18.20.8', 2],
  ['20.18.3', 2],
  ['20.19.0', 0],
  ['22.0.0', 0],
])('on Node.js %s, kb ends with %i', async (version, code) => {
  const project = createProject({
    'version.cjs': `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
  })
  const ended = await project.start(['schema', 'tags'], { env: { NODE_OPTIONS: '--require ./version.cjs' } })
    .ended
  expect([ended.code, ended.stderr]).toEqual([
    code,
    code === 0
      ? ''
      : `error: kb-sync needs Node.js 20.19 or newer, and this is ${version}.\nhint: Install a newer one from https://nodejs.org, or with your version manager.\n`,
  ])
})

test('the oldest Node.js that runs kb is the one in package.json', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } }
  expect(engines.node).toBe('>=20.19')
})

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Without what is another one each time. */
function saidBy({ code, stdout, stderr }: Ended, { root }: TestProject) {
  // Other tests use the disk meanwhile.
  const texts = [stdout, stderr].map((text) =>
    text
      .replaceAll(root, 'ROOT')
      .replaceAll(MOMENT, 'NOW')
      .replaceAll(/[\d.]+ GB of disk/g, 'GB of disk'),
  )
  return { code, texts }
}
