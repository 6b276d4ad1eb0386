// Problems in the files of a site are like any other, although these files are not in the content folder.
import { expect, test } from 'vitest'
import { createProject, type TestProject } from '../support/project.ts'

const project = (nav: string, rules: object = {}): TestProject =>
  createProject({
    'kb.config.mjs': `export default { project: 'p', preset: 'mkdocs', rules: ${JSON.stringify(rules)} }\n`,
    'mkdocs.yml': `nav:\n  - B:\n      - ${nav}\n`,
    'docs/a/start.md': '# Start\n\nText.\n',
  })

test('kb check reports a missing page of the navigation at its line, with a configured severity', async () => {
  const { code, stdout } = await project('a/stat.md').kb('check')
  expect({ code, stdout }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stdout": "mkdocs.yml:3:9 warning navigation-page-missing
      The navigation lists a/stat.md, which does not exist.
      3 |       - a/stat.md
        |         ^^^^^^^^^
      hint: Did you mean a/start.md?

    1 warning in 1 article.
    kb explain CODE shows more about a problem.
    ",
    }
  `)
  expect((await project('a/stat.md', { 'navigation-page-missing': 'error' }).kb('check')).code).toBe(1)
  expect((await project('a/stat.md', { 'navigation-page-missing': 'off' }).kb('check')).stdout).not.toContain(
    'stat',
  )
})

test('kb plan names the file of the navigation as the source of a category', async () => {
  const { stdout } = await project('a/start.md').kb('plan', '--json')
  expect((JSON.parse(stdout) as { operations: unknown }).operations).toMatchObject([
    { kind: 'category', action: 'create', slug: 'b', source: '../mkdocs.yml' },
    { kind: 'article', action: 'create', slug: 'a-start', source: 'a/start.md' },
  ])
})

test('kb check names the file that is appended to articles', async () => {
  const made = createProject({
    'kb.config.mjs': "export default { project: 'p', preset: 'mkdocs' }\n",
    'mkdocs.yml': 'markdown_extensions:\n  - pymdownx.snippets: { auto_append: [inc/terms.md] }\n',
    'inc/terms.md': '[gone]: gone.md\n',
    'docs/a.md': '# A\n\n[gone]\n',
  })
  const { stdout } = await made.kb('check', '--format', 'concise')
  expect(stdout).toContain('inc/terms.md:1:9 error')
})
