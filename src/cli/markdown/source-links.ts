import { encodePath } from '../../core/encode-path.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the URL of a line in a file (relative to the repository, with `/`); undefined if there is none. */
export type SourceLink = (file: string, line: number) => string | undefined

/**
 * Returns a function that links to the files of the repository at the commit of this pipeline, on GitHub
 * (GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_SHA) or GitLab (CI_PROJECT_URL, CI_COMMIT_SHA).
 */
export function createSourceLink(env: Environment): SourceLink {
  const blob = githubBlob(env) ?? gitlabBlob(env)
  if (blob === undefined || !/^https?:\/\//.test(blob)) return () => undefined
  // Paths that leave the repository have no URL.
  return (file, line) =>
    /(^|\/)\.\.(\/|$)/.test(file) ? undefined : `${blob}/${encodeForLink(file)}#L${line}`
}

function githubBlob(env: Environment): string | undefined {
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: repository = '', GITHUB_SHA: commit = '' } = env
  return server === '' || repository === '' || commit === ''
    ? undefined
    : `${server}/${encodeForLink(repository)}/blob/${encodeForLink(commit)}`
}

function gitlabBlob({ CI_PROJECT_URL: project = '', CI_COMMIT_SHA: commit = '' }: Environment) {
  return project === '' || commit === '' ? undefined : `${project}/-/blob/${encodeForLink(commit)}`
}

/** Parentheses would end a link in Markdown. */
function encodeForLink(path: string): string {
  return encodePath(path).replaceAll('(', '%28').replaceAll(')', '%29')
}
