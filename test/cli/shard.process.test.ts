// `--shard` on the command line: its output, and invalid combinations.
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

test('the shards of a plan send everything, and each may run again', async () => {
  const project = createProject(FILES)
  await project.kb('plan', '--out', 'plan.json')
  const shard = (...args: string[]) => project.kb('sync', '--plan', 'plan.json', '--shard', ...args)
  const second = await shard('2/2', '--json')
  expect([second.code, second.json]).toMatchObject([0, { shard: '2/2', summary: { created: 1 } }])
  const first = await shard('1/2', '--quiet')
  expect([first.code, first.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Articles: 2 created, 1 unchanged\.\nDone on builtin, shard 1\/2: \d+ requests\.\n$/,
    ),
  ])
  expect([...(await builtinArticles(project)).keys()].toSorted()).toEqual(['first', 'second', 'third'])
  const again = await shard('1/2', '--format', 'markdown')
  expect([again.code, again.stdout.split('\n')[0]]).toEqual([0, '## Sync for `builtin`, shard 1/2'])
  const whole = await project.kb('sync')
  expect([whole.code, whole.stdout.split('\n')[0]]).toEqual([0, 'Articles: 3 unchanged.'])
})

test.each(['9/8', '0/8', '1.5/8', 'a/b', '', '3'])('--shard %s is a wrong usage', async (written) => {
  const project = createProject(FILES)
  const { code, stdout, stderr } = await project.kb('sync', '--plan', 'plan.json', '--shard', written)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    `Option "--shard <n/m>" argument "${written}" is invalid. It must be n/m with n from 1 to m, such as 2/8.`,
  )
})

test.each([['9/8'], ['2/8']])('--shard %s without a plan is a wrong usage', async (written) => {
  const { code, stdout } = await createProject(FILES).kb('sync', '--shard', written)
  expect([code, stdout]).toEqual([2, ''])
})

test('without a plan, the message shows both commands', async () => {
  const { stderr } = await createProject(FILES).kb('sync', '--shard', '2/8')
  expect(stderr.replaceAll(/\s+/g, ' ').trim()).toBe(
    'error: --shard sends a part of a saved plan, so it requires --plan. [USAGE] hint: Run kb plan --out plan.json once, then kb sync --plan plan.json --shard 2/8 with this file in each job.',
  )
})
