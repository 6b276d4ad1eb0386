// `--shard` on a command line: what it says, and what it cannot be combined with.
import { expect, test } from 'vitest'
import { article, configFile, createProject, type Files } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'

const FILES: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/_categories.yml': '- name: Guides\n  slug: guides\n',
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}

interface Document {
  readonly shard: string
  readonly summary: { readonly created: number; readonly unchanged: number }
  readonly operations: readonly { readonly source: string; readonly action: string }[]
}

test('two shards send everything', async () => {
  const project = createProject(FILES)
  const plans = [await project.kb('plan', '--shard', '1/2'), await project.kb('plan', '--shard', '2/2')]
  expect(plans.map(({ code, stdout }) => [code, stdout.match(/Planned for .*;/)?.[0]])).toEqual([
    [0, 'Planned for builtin, shard 1/2;'],
    [0, 'Planned for builtin, shard 2/2;'],
  ])
  const runs = [
    await project.kb('sync', '--shard', '2/2', '--json'),
    await project.kb('sync', '--shard', '1/2', '--json'),
  ]
  const documents = runs.map(({ json }) => json as Document)
  expect(documents.map(({ shard }) => shard)).toEqual(['2/2', '1/2'])
  const created = documents.flatMap(({ operations }) => operations.map(({ source }) => source))
  expect(created.toSorted()).toEqual(['_categories.yml', 'first.md', 'second.md', 'third.md'])
  expect([...(await builtinArticles(project)).keys()].toSorted()).toEqual(['first', 'second', 'third'])
  const again = await project.kb('sync', '--shard', '1/2', '--format', 'markdown')
  expect([again.code, again.stdout.split('\n')[0]]).toEqual([0, '## Sync for `builtin`, shard 1/2'])
  const whole = await project.kb('sync')
  expect([whole.code, whole.stdout.split('\n')[0]]).toEqual([0, 'Articles: 3 unchanged.'])
})

test.each(['9/8', '0/8', '1.5/8', 'a/b', '', '3'])('--shard %s is a wrong usage', async (written) => {
  const project = createProject(FILES)
  const { code, stdout, stderr } = await project.kb('sync', '--shard', written)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    `option '--shard <n/m>' argument '${written}' is invalid. It must be n/m with n from 1 to m, such as 2/8.`,
  )
})

test.each<readonly [readonly string[], string]>([
  [
    ['sync', 'content/first.md', '--shard', '1/2'],
    'A shard is a part of all articles and cannot be limited to paths.',
  ],
  [['plan', '--shard', '1/2', '--out', 'plan.json'], 'Only a plan of all articles can be saved.'],
  [['sync', '--shard', '1/2', '--plan', 'plan.json'], 'A saved plan already determines --shard.'],
])('kb %s is refused', async (args, message) => {
  const project = createProject(FILES)
  const { code, stderr } = await project.kb(...args)
  expect(code).toBe(2)
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message)
})
