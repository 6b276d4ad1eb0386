// `--keep-going` on the command line: its output, its exit code, and invalid combinations.
import { expect, test } from 'vitest'
import { article, configFile, createProject, type Files } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'

const FILES: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/_categories.yml': '- name: Guides\n  slug: guides\n',
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
}
const NO_TITLE = '---\ncategories: [Guides]\n---\n\nText.\n'
const parsed = ({ code, json }: { readonly code: number | null; readonly json: unknown }) => ({ code, json })
const ERROR = `content/second.md:1:1 error title-missing
  The article has no title.
  1 | ---
    | ^^^
  hint: Add a line \`title: …\` to the frontmatter.

`

test('valid articles are sent, the others are listed, and the exit code is 1', async () => {
  const project = createProject({ ...FILES, 'content/second.md': NO_TITLE })
  const stopped = await project.kb('sync')
  expect([stopped.code, stopped.stdout]).toEqual([1, `${ERROR}1 error. Nothing was sent.\n`])
  expect(stopped.stderr).toContain('To send the articles without errors, run kb sync --keep-going.\n')
  const plan = await project.kb('plan', '--keep-going')
  expect([plan.code, plan.stdout]).toEqual([
    1,
    `${ERROR}  + create   category guides
  · skipped  second.md (held back because of an error)
  + create   first.md

Articles: 1 to create, 1 skipped · categories and tags: 1 to create.
Held back: 1 file with errors.
Planned for builtin; nothing was written (3 requests).
`,
  ])
  const sync = await project.kb('sync', '--keep-going')
  expect([sync.code, sync.stdout.slice(0, sync.stdout.indexOf('Done'))]).toEqual([
    1,
    `${ERROR}  + created  category guides
  · skipped  second.md (held back because of an error)
  + created  first.md

Articles: 1 created, 1 skipped · categories and tags: 1 created.
Held back: 1 file with errors.
`,
  ])
  expect([...(await builtinArticles(project)).keys()]).toEqual(['first'])
  const again = await project.kb('sync', '--keep-going', '--json')
  expect([again.code, again.json]).toMatchObject([
    1,
    {
      summary: { unchanged: 1, skipped: 1 },
      operations: [
        {
          action: 'skip',
          source: 'second.md',
          slug: 'second',
          outcome: 'skipped',
          reason: 'held back because of an error',
        },
      ],
      diagnostics: [{ file: 'content/second.md', severity: 'error' }],
    },
  ])
  project.write({ 'content/second.md': article('Second') })
  expect((await project.kb('sync', '--keep-going')).code).toBe(0)
})

test('sync.onError does the same, and paths without errors are sent without it', async () => {
  const project = createProject({ ...FILES, 'content/second.md': NO_TITLE })
  expect(parsed(await project.kb('sync', 'content/first.md', '--json'))).toMatchObject({
    code: 0,
    json: { summary: { created: 1 }, diagnostics: [] },
  })
  expect((await project.kb('sync', 'content/second.md')).code).toBe(1)
  project.write({ 'kb.config.ts': configFile({ project: 'demo', sync: { onError: 'hold' } }) })
  expect(parsed(await project.kb('sync', '--json'))).toMatchObject({
    code: 1,
    json: { summary: { unchanged: 1, skipped: 1 } },
  })
  // A saved plan is executed as a whole.
  expect(await project.kb('plan', '--out', 'plan.json')).toMatchObject({
    code: 1,
    stdout: `${ERROR}1 error. A sync would send nothing.\n`,
  })
})

test('a saved plan has no errors to hold back', async () => {
  const project = createProject(FILES)
  expect(await project.kb('plan', '--keep-going', '--out', 'plan.json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Only a plan of content without errors can be saved.'),
  })
  expect(await project.kb('sync', '--plan', 'plan.json', '--keep-going')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('A saved plan already determines --keep-going.'),
  })
})
