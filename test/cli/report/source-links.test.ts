import { expect, test } from 'vitest'
import { createSourceLink } from '../../../src/cli/markdown/source-links.ts'

const GITHUB = {
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/help',
  GITHUB_SHA: 'c0ffee',
}
const GITLAB = { CI_PROJECT_URL: 'https://gitlab.example/acme/group/help', CI_COMMIT_SHA: 'c0ffee' }

test('a line of a file on GitHub and on GitLab', () => {
  expect(createSourceLink(GITHUB)('content/a b.md', 12)).toBe(
    'https://github.com/acme/help/blob/c0ffee/content/a%20b.md#L12',
  )
  expect(createSourceLink(GITLAB)('content/(x)[y].md', 1)).toBe(
    'https://gitlab.example/acme/group/help/-/blob/c0ffee/content/%28x%29%5By%5D.md#L1',
  )
})

test('no link elsewhere, for a file outside the repository, or with an invalid URL', () => {
  expect(createSourceLink({})('content/a.md', 1)).toBeUndefined()
  expect(createSourceLink({ ...GITHUB, GITHUB_SHA: '' })('content/a.md', 1)).toBeUndefined()
  expect(
    createSourceLink({ ...GITHUB, GITHUB_SERVER_URL: 'javascript:alert(1)//' })('a.md', 1),
  ).toBeUndefined()
  expect(createSourceLink(GITHUB)('../elsewhere/a.md', 1)).toBeUndefined()
  expect(createSourceLink(GITHUB)('content/..a/b.md', 1)).toBeDefined()
})
