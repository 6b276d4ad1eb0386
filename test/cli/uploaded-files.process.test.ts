// The output of the command line about files that the target stores.
import { expect, test } from 'vitest'
import { pngOf } from '../support/images.ts'
import { article, configFile, createProject } from '../support/project.ts'

test('plan and sync count the files that are uploaded', async () => {
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo' }),
    'content/_categories.yml': '- { name: Guides, slug: guides }\n',
    'content/one.md': article('One', { body: '![Big](big.png) [Prices](prices.csv)' }),
    'content/prices.csv': 'a,b\n',
  })
  project.write({ 'content/big.png': pngOf(300_000) })
  const planned = await project.kb('plan')
  expect(planned.stdout).toContain(
    '\nArticles: 1 to create · categories and tags: 1 to create · files: 2 to upload\n(300 kB).\n',
  )
  const files = { uploaded: 2, bytes: 300_004 }
  expect((await project.kb('plan', '--json')).json).toMatchObject({ version: 2, files })
  const synced = await project.kb('sync')
  expect({ code: synced.code, stdout: synced.stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(' · files: 2 uploaded (300\nkB).\n') as string,
  })
  expect((await project.kb('sync', '--json')).json).not.toHaveProperty('files')
})
