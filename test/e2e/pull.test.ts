// `kb pull` as people and scripts run it.
import { expect, test } from 'vitest'
import { article, configFile, createProject, type Files, type TestProject } from '../support/project.ts'
import { SERVICE_KEY, type StrictService, startStrictService } from '../support/strict-service.ts'
import { readTree } from '../authoring/pull/pull-project.ts'

const FILES: Files = {
  'kb.config.ts': configFile({ project: 'demo', sync: { retries: 0 } }),
  'content/first.md': article('First', { body: 'Text of First.\n\n- one\n- two' }),
  'content/second.md': article('Second'),
}

async function startSynced(): Promise<{ service: StrictService; project: TestProject }> {
  const service = await startStrictService()
  const project = createProject(FILES)
  expect(await run(project, service, 'sync', '--quiet')).toMatchObject({ code: 0 })
  service.forget()
  return { service, project }
}

const run = (project: TestProject, service: StrictService, ...args: string[]) =>
  project.run(args, { env: { KB_URL: service.url, KB_API_KEY: SERVICE_KEY } })

const editText = (service: StrictService, slug: string) => {
  const { content } = service.articleAt(slug)
  service.edit(slug, { content: content.replace('Text of', 'Other text of') })
}

/** All files but what is kept in .kb. */
const filesOf = ({ root }: TestProject) =>
  Object.fromEntries(Object.entries(readTree(root)).filter(([name]) => !name.startsWith('.kb')))

test('an edit and a new article are pulled, and a second run has nothing to do', async () => {
  const { service, project } = await startSynced()
  editText(service, 'first')
  service.edit('first', { title: 'First\u001b[31m edited' })
  service.add({ title: 'New', slug: 'new', content: '<p>By hand</p>', excerpt: 'By hand' })
  const first = await run(project, service, 'pull')
  expect([first.code, first.stdout]).toEqual([
    0,
    `  ~ updated  content/first.md (title, text)
  + created  content/new.md

Files: 1 updated, 1 created, 1 unchanged.
Done from ${service.url}: 8 requests, nothing was sent.
`,
  ])
  expect(project.read('content/first.md')).toContain('Other text of First.')
  expect(project.read('content/new.md')).toContain('By hand')
  const second = await run(project, service, 'pull')
  expect(second.stdout).toContain(`Files: 3 unchanged.\nNothing to do from ${service.url}: `)
  expect(service.requests.every((each) => /^(GET|OPTIONS)/.test(each))).toBe(true)
})

test('--dry-run prints the difference and writes nothing', async () => {
  const { service, project } = await startSynced()
  editText(service, 'first')
  service.edit('first', { order: 4 })
  const before = filesOf(project)
  const { code, stdout } = await run(project, service, 'pull', '--dry-run')
  expect(code).toBe(0)
  expect(stdout.replace(service.url, 'URL')).toMatchInlineSnapshot(`
    "  ~ update   content/first.md (order, text)
          @@ -1,9 +1,10 @@
            ---
            title: "First"
            categories: ["Guides"]
          + order: 4
            ---

          - Text of First.
          + Other text of First.

            - one
            - two

    Files: 1 updated, 1 unchanged.
    Read URL; no file was written (6 requests).
    "
  `)
  expect(filesOf(project)).toEqual(before)
})

test('--json prints one document', async () => {
  const { service, project } = await startSynced()
  service.edit('first', { title: 'First\u202e edited', order: 2 })
  service.add({ title: 'New', slug: 'new', content: '<p>By hand</p>', reviewDate: '2027-05-01' })
  const { code, json, stdout } = await run(project, service, 'pull', '--json')
  expect(code).toBe(0)
  expect(stdout).not.toContain('\u202e')
  expect(json).toEqual({
    version: 1,
    target: service.url,
    summary: { updated: 1, created: 1, unchanged: 1, conflicts: 0, skipped: 0, failed: 0 },
    files: [
      {
        action: 'update',
        file: 'content/first.md',
        slug: 'first',
        language: null,
        id: service.articleAt('first').id,
        outcome: 'done',
        fields: ['title', 'order'],
        text: false,
      },
      {
        action: 'create',
        file: 'content/new.md',
        slug: 'new',
        language: null,
        id: service.articleAt('new').id,
        outcome: 'done',
        fields: [],
        text: true,
      },
    ],
    diagnostics: [],
    requests: expect.objectContaining({ GET: expect.any(Number) }),
  })
})

test('conflicts decide the exit code', async () => {
  const { service, project } = await startSynced()
  editText(service, 'first')
  project.write({ 'content/first.md': article('First', { body: 'My own text.' }) })
  const mine = project.read('content/first.md')
  const failed = await run(project, service, 'pull')
  expect(failed).toMatchObject({
    code: 4,
    stdout: expect.stringContaining('! conflict content/first.md (text)'),
  })
  expect(await run(project, service, 'pull', '--on-conflict', 'skip')).toMatchObject({ code: 0 })
  expect(project.read('content/first.md')).toBe(mine)
  expect(await run(project, service, 'pull', '--on-conflict', 'overwrite')).toMatchObject({ code: 0 })
  expect(project.read('content/first.md')).toContain('Other text of First.')
  expect(await run(project, service, 'pull')).toMatchObject({ code: 0 })
})

test('what is wrong is said the usual way', async () => {
  const { service, project } = await startSynced()
  expect(await run(project, service, 'pull', 'content/none.md')).toMatchObject({ code: 2 })
  expect(await run(project, service, 'pull', '--on-conflict', 'guess')).toMatchObject({ code: 2 })
  expect(await project.kb('pull', '--target', 'nowhere', '--json')).toMatchObject({
    code: 2,
    json: { version: 1, error: expect.objectContaining({ code: 'TARGET_UNKNOWN' }) },
  })
  const unreachable = { KB_URL: 'http://127.0.0.1:9', KB_API_KEY: 'x' }
  expect(await project.run(['pull', '--quiet'], { env: unreachable })).toMatchObject({ code: 3 })
  project.write({ 'content/broken.md': 'no frontmatter' })
  expect(await run(project, service, 'pull')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 error. Nothing was pulled.'),
  })
})

test('from the built-in server, where nothing was edited', async () => {
  const project = createProject({ ...FILES, 'content/_categories.yml': '- name: Guides\n  slug: guides\n' })
  expect(await project.kb('sync', '--quiet')).toMatchObject({ code: 0 })
  const { code, stdout } = await project.kb('pull')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Files: 2 unchanged\.\nNothing to do from builtin/)
})
