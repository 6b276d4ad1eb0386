// A target that stays open, on the built-in server in its thread: in a process of its own.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleScript } from '../support/bundle-script.ts'
import { startScript } from '../support/child-script.ts'
import { article, createProject } from '../support/project.ts'

const SCRIPT = join(import.meta.dirname, 'keep-target-open.ts')

const FILES = {
  'content/_categories.yml': '- name: Guides\n',
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}

/** How each run went. @param name of what keep-target-open.ts does */
async function tellOf(name: string): Promise<unknown> {
  const project = createProject(FILES)
  const { exited } = startScript(await bundleScript(SCRIPT), project.root, name)
  expect(await exited).toEqual([0, null])
  return JSON.parse(project.read('told.json'))
}

const CREATED = ['all', { created: 3 }]
const EDITED = ['edit', { updated: 1 }]
const DECLINED = ['edit', null]

test('edits go one after the other, and nothing keeps the process alive', async () => {
  expect(await tellOf('edits')).toEqual([CREATED, EDITED, EDITED, ['all', { unchanged: 3 }]])
})

test("where the server's thread has died, another one is started", async () => {
  expect(await tellOf('dying threads')).toEqual([
    CREATED,
    EDITED,
    DECLINED,
    ['all', { updated: 1, unchanged: 2 }],
    EDITED,
  ])
})

test('a database that is no more at its place is not written to', async () => {
  expect(await tellOf('a database that goes')).toEqual([CREATED, EDITED, DECLINED, CREATED, EDITED])
})
