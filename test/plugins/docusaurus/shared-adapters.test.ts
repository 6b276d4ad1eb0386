import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import type { Adapter } from '../../../src/plugins/adapter/adapter.ts'
import { createAdapter } from '../../../src/plugins/adapter/create-adapter.ts'
import { createSharedAdapters } from '../../../src/plugins/docusaurus/shared-adapters.ts'
import { article, configFile, createProject } from '../../support/project.ts'

/** A build of a project without a target; the log shows if it tried to send. */
function startBuild() {
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo', target: { url: 'http://127.0.0.1:9' } }),
    'content/one.md': article('One'),
  })
  const ended = new EventEmitter<{ line: [string] }>()
  const log = (kind: string) => (text: string) => void ended.emit('line', `${kind}: ${text}`)
  const lines: string[] = []
  ended.on('line', (line) => void lines.push(line))
  const running = Object.assign(new EventEmitter(), { exitCode: undefined as number | undefined })
  const adapters = createSharedAdapters(running)
  const made: Adapter[] = []
  const create = () => {
    const host = {
      cwd: project.root,
      mode: 'build' as const,
      env: { KB_SYNC: '0' },
      info: log('info'),
      warn: log('warn'),
    }
    const adapter = createAdapter({ sync: 'build' }, host)
    made.push(adapter)
    return adapter
  }
  const join = (locale: string) =>
    adapters.joinBuild('site', locale, create, { info: log('info'), warn: log('warn'), error: log('error') })
  const idle = async () => {
    const line = once(ended, 'line')
    running.emit('beforeExit')
    await line
  }
  return { running, join, idle, lines, made }
}

test('all locales of a build share one adapter, and one end', async () => {
  const { running, join, idle, lines, made } = startBuild()
  join('en').finish('en')
  join('fr').finish('fr')
  await idle()
  running.emit('beforeExit')
  expect({ lines, adapters: made.length }).toEqual({ lines: ['info: not synced: KB_SYNC is 0'], adapters: 1 })
})

test.each([
  ['a locale was not finished', undefined],
  ['the process has an exit code', 1],
])('nothing is sent if %s', async (_, exitCode) => {
  const { running, join, idle, lines } = startBuild()
  join('en').finish('en')
  const french = join('fr')
  if (exitCode !== undefined) french.finish('fr')
  running.exitCode = exitCode
  await idle()
  expect(lines).toEqual(['info: not synced: the build failed'])
})

test('the same locale again means another build', async () => {
  const { join, idle, lines, made } = startBuild()
  join('en').finish('en')
  await idle()
  join('en').finish('en')
  await idle()
  expect({ lines: lines.length, adapters: made.length }).toEqual({ lines: 2, adapters: 1 })
})
