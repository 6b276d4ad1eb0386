import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { article, configFile, createProject, type Files } from '../support/project.ts'

const FILES: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/_categories.yml': '- name: Guides\n  slug: guides\n',
  'content/first.md': article('First'),
}

test('each stage has its time, and each thread a profile', async () => {
  const project = createProject(FILES)
  const { code, stdout, stderr } = await project.kb('sync', '--profile')
  expect([code, stdout]).toEqual([0, expect.stringContaining('Articles: 1 created')])
  const lines = stderr.split('\n')
  const labels = lines.flatMap((line) => /^(\S.*?) +\d+\.\d{3} s +\d+\.\d{3} s$/.exec(line)?.[1] ?? [])
  expect(labels).toEqual([
    'start Node.js and kb',
    'load the configuration',
    'find files',
    'read and hash files',
    'load code',
    'compile articles',
    'resolve links and check',
    'open the target',
    'list the target',
    'plan',
    'send',
    'save the state',
    'close the target',
    'total',
  ])
  expect(stderr).toContain('The CPU profile is in .kb/sync.cpuprofile, and 1 profile of threads beside it.')
  for (const name of ['sync', 'sync.1-builtin-server'])
    expect(samplesIn(project.path(`.kb/${name}.cpuprofile`))).toBeGreaterThan(0)
})

test('a run without changes is also measured, and --json contains the stages', async () => {
  const project = createProject(FILES)
  await project.kb('sync')
  const { json } = await project.kb('sync', '--json', '--profile', 'mine.cpuprofile')
  const { profile } = json as { profile: { files: string[]; stages: { stage: string; wallMs: number }[] } }
  expect(profile.files.map((file) => basename(file))).toEqual(['mine.cpuprofile'])
  expect(profile.stages.map(({ stage }) => stage)).toEqual(
    expect.arrayContaining(['start', 'configure', 'find']),
  )
  expect(profile.stages.every(({ wallMs }) => wallMs >= 0)).toBe(true)
  expect(existsSync(project.path('.kb/sync.cpuprofile'))).toBe(false)
})

test('a run that cannot start leaves no profile', async () => {
  const project = createProject({ ...FILES, 'kb.config.ts': 'export default { nonsense: true }\n' })
  expect((await project.kb('sync', '--profile')).code).toBe(2)
  expect(existsSync(project.path('.kb/sync.cpuprofile'))).toBe(false)
})

test('an article is not mistaken for the file of the profile', async () => {
  const project = createProject(FILES)
  const { code, stderr } = await project.kb('sync', '--profile', 'content/first.md')
  expect([code, stderr]).toEqual([2, expect.stringContaining('put paths before --profile')])
  expect(project.read('content/first.md')).toBe(FILES['content/first.md'])
})

function samplesIn(file: string): number {
  const { samples } = JSON.parse(readFileSync(file, 'utf8')) as { samples: unknown[] }
  return samples.length
}
