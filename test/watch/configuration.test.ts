// The configuration is edited while it is watched.
import { expect, test } from 'vitest'
import { article, configFile } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'
import { createWatchedProject, startWatching } from '../support/watched-project.ts'

const FILES = {
  'content/one.md': article('One', { body: 'See [two](two.md).' }),
  'content/two.md': article('Two'),
}
const config = (members: object) => ({
  'kb.config.ts': configFile({ project: 'demo', defaults: { status: 'published' }, ...members }),
})

test('an edit takes effect', async () => {
  const project = createWatchedProject(FILES)
  const watch = await startWatching(project)
  project.write(config({ links: { article: '/help/{slug}' } }))
  await watch.settled()
  expect(watch.told()).toEqual(['configured', 'sent update one.md', 'settled'])
  expect((await builtinArticles(project)).get('one')?.content).toContain('href="/help/two"')
})

test('a problem is reported, and the last valid configuration stays in use until it is fixed', async () => {
  const project = createWatchedProject(FILES)
  const watch = await startWatching(project)
  project.write({ 'kb.config.ts': 'export default {' })
  expect((await watch.next('configured')).failure?.code).toBe('CONFIG_UNREADABLE')
  project.write({ 'content/two.md': article('Two', { body: 'Meanwhile.' }) })
  await watch.next('sent')
  project.write(config({ colour: 'red' }))
  expect((await watch.next('configured')).failure?.code).toBe('CONFIG_INVALID')
  project.write(config({}))
  expect((await watch.next('configured')).failure).toBeUndefined()
})

test('an imported file is watched, even one that was invalid from the start', async () => {
  const project = createWatchedProject({
    ...FILES,
    'kb.config.ts': `import { base } from './settings/links.mjs'\nexport default { project: 'demo', links: { article: ({ slug }) => base + slug } }\n`,
    'settings/links.mjs': `export const base = '/one/'\n`,
  })
  const watch = await startWatching(project)
  project.write({ 'settings/links.mjs': `export const base = '/two/'\n` })
  await watch.next('sent')
  project.write({
    'settings/more.mjs': 'export const = 1\n',
    'settings/links.mjs': `export { base } from './more.mjs'\n`,
  })
  expect((await watch.next('configured', ({ failure }) => failure !== undefined)).failure?.code).toBe(
    'CONFIG_UNREADABLE',
  )
  project.write({ 'settings/more.mjs': `export const base = '/three/'\n` })
  await watch.next('configured', ({ failure }) => failure === undefined)
  await watch.next('sent')
  expect((await builtinArticles(project)).get('one')?.content).toContain('href="/three/two"')
})

test('a new table of contents of a book, in a folder or in a new one, does not become an article', async () => {
  const project = createWatchedProject({
    'content/_categories.yml': '- name: One\n- name: Two\n',
    'content/one/a.md': '# A\n\nText.\n',
    ...config({ preset: 'folder', content: 'content' }),
  })
  const watch = await startWatching(project)
  project.write({ 'content/one/SUMMARY.md': '* [A](a.md)\n' })
  await watch.next('configured')
  project.write({ 'content/two/b.md': '# B\n\nText.\n', 'content/two/SUMMARY.md': '* [B](b.md)\n' })
  await watch.next('sent')
  await watch.next('settled')
  expect([...(await builtinArticles(project)).keys()].toSorted()).toEqual(['one-a', 'two-b'])
  project.write({ 'content/two/SUMMARY.md': '---\ntitle: Summary\n---\n\nText.\n' })
  await watch.next('sent')
  expect([...(await builtinArticles(project)).keys()].toSorted()).toEqual(['one-a', 'two-SUMMARY', 'two-b'])
})

test('another content folder is watched after the edit', async () => {
  const project = createWatchedProject({
    ...FILES,
    'docs/_categories.yml': '- name: Guides\n  slug: guides\n',
    'docs/three.md': article('Three'),
  })
  const watch = await startWatching(project)
  project.write(config({ content: 'docs' }))
  await watch.settled()
  expect(watch.told().slice(0, 2)).toEqual(['configured', 'sent create three.md'])
  project.write({ 'docs/three.md': article('Three', { body: 'Seen.' }) })
  await watch.settled()
  expect(watch.told().at(-2)).toBe('sent update three.md')
})

test('another database gets everything', async () => {
  const project = createWatchedProject(FILES)
  const watch = await startWatching(project)
  project.write(config({ server: { db: '.kb/other.db' } }))
  await watch.settled()
  expect(watch.told()[1]).toContain('create two.md')
})

test('settings that require a restart are named', async () => {
  const project = createWatchedProject(FILES)
  const watch = await startWatching(project)
  project.write(config({ server: { port: 4500 } }))
  expect((await watch.next('configured')).restartFor).toEqual(['server.port'])
})

test('a missing configuration changes nothing', async () => {
  const project = createWatchedProject(FILES)
  const watch = await startWatching(project)
  project.remove('kb.config.ts')
  const { failure } = await watch.next('configured')
  expect(failure).toMatchObject({ code: 'CONFIG_UNREADABLE', message: 'kb.config.ts is gone.' })
})

test('a save of the same text is not reported', async () => {
  const project = createWatchedProject(FILES)
  const watch = await startWatching(project)
  project.write(config({}))
  project.write({ 'content/two.md': article('Two', { body: 'Now.' }) })
  await watch.settled()
  expect(watch.told()).toEqual(['sent update two.md', 'settled'])
})

test("a file outside of the content that an article shows is watched, and so is the tool's configuration", async () => {
  const image = (colour: string) => `<svg xmlns="http://www.w3.org/2000/svg"><path fill="${colour}"/></svg>`
  const project = createWatchedProject({
    ...config({ preset: 'docusaurus', siteUrl: 'https://acme.example' }),
    'docs/one.md': '# One\n\n![A colour](/base/img/a.svg)\n',
    'website/docusaurus.config.js': "module.exports = { baseUrl: '/base/' }\n",
    'website/static/img/a.svg': image('red'),
    'website/static/base/img/a.svg': image('green'),
  })
  const shown = async () =>
    Buffer.from(
      /base64,([^"]*)/.exec((await builtinArticles(project)).get('one')?.content ?? '')?.[1] ?? '',
      'base64',
    ).toString()
  const watch = await startWatching(project)
  expect(await shown()).toBe(image('red'))
  project.write({ 'website/static/img/a.svg': image('blue') })
  await watch.settled()
  expect(await shown()).toBe(image('blue'))
  project.write({ 'website/docusaurus.config.js': "module.exports = { baseUrl: '/' }\n" })
  await watch.settled()
  expect(await shown()).toBe(image('green'))
})
