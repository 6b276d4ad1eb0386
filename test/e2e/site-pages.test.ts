// A site of another tool has pages that are no articles: no command counts them as such.
import { expect, test } from 'vitest'
import { article, configFile, createProject } from '../support/project.ts'

const SITE = {
  'kb.config.ts': configFile({ project: 'demo', preset: 'vitepress', defaults: { categories: ['Guides'] } }),
  'docs/.vitepress/config.js': 'export default {}\n',
  'docs/_categories.yml': '- name: Guides\n',
  'docs/index.md': '---\nlayout: home\nhero: { name: Site }\n---\n',
  'docs/guide.md': '# Guide\n\nText.\n',
}

test('check, doctor and report count what a sync sends', async () => {
  const project = createProject(SITE)
  const checked = await project.kb('check')
  const synced = await project.kb('sync', '--json')
  expect(synced.json).toMatchObject({ summary: { created: 1 } })
  expect(checked.stdout).toBe('No problems in 1 article.\n')
  expect((await project.kb('check', '--json')).json).toMatchObject({ summary: { articles: 1 } })
  expect((await project.kb('doctor')).stdout).toContain('docs/ contains 1 article\n')
  const { json } = await project.kb('report', '--json', '--no-history')
  expect(json).toMatchObject({ counts: { files: 1, onTarget: 1 } })
  expect((json as { notes: readonly string[] }).notes.join('\n')).not.toMatch(
    /cannot be read as|on the target:/,
  )
})

test('a file with an error is an article all the same', async () => {
  const project = createProject({ ...SITE, 'docs/broken.md': article('Broken', { body: '[x](gone.md)' }) })
  expect((await project.kb('check')).stdout).toMatch(/\n1 error in 2 articles\.\n/)
})
