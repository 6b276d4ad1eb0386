import { expect, test } from 'vitest'
import { article, createProject } from '../support/project.ts'

test('a problem that a comment ignores stops no command', async () => {
  const project = createProject({
    'content/_categories.yml': '- name: Guides\n  slug: guides\n',
    'content/a.md': article('A', { body: '[gone](gone.md)' }),
  })
  expect([(await project.kb('check')).code, (await project.kb('sync')).code]).toEqual([1, 1])
  project.write({
    'content/a.md': article('A', { body: '<!-- kb-ignore-next-line link-file-missing -->\n[gone](gone.md)' }),
  })
  expect((await project.kb('check', '--quiet')).code).toBe(0)
  expect((await project.kb('sync')).code).toBe(0)
  expect((await project.kb('plan', '--diff')).stdout).not.toContain('kb-ignore')
})
