import ignore from 'ignore'
import type { CodeownersDialect, OwnerRule, OwnerSection } from './parse-codeowners.ts'

type IsMatch = (path: string) => boolean

interface MatchedRule extends OwnerRule {
  readonly isMatch: IsMatch
}

/** Tells the owners, as written, of a path relative to the repository. */
export function createOwnerMatcher(
  sections: readonly OwnerSection[],
  dialect: CodeownersDialect,
): (path: string) => readonly string[] {
  const matched = sections.map(({ rules }) =>
    rules.map((rule) => ({ ...rule, isMatch: createIsMatch(rule.pattern, dialect) })),
  )
  return (path) => [...new Set(matched.flatMap((rules) => ownersInSection(rules, path)))]
}

function ownersInSection(rules: readonly MatchedRule[], path: string): readonly string[] {
  if (rules.some(({ excludes, isMatch }) => excludes && isMatch(path))) return []
  return rules.findLast(({ isMatch }) => isMatch(path))?.owners ?? []
}

function createIsMatch(written: string, dialect: CodeownersDialect): IsMatch {
  // GitLab looks for what does not begin at the root at every depth; .gitignore does so only for single names.
  const isAnywhere = dialect === 'gitlab' && !/^(?:\/|\*\*\/)/.test(written)
  const pattern = isAnywhere ? `**/${written}` : written
  const rules = ignore({ ignorecase: false }).add({ pattern })
  const start = literalStart(pattern)
  // Other than in .gitignore, `docs/*` is about the files in docs, not about all in its folders.
  const isAboutFiles = /(?:^|\/)\*$/.test(pattern) && pattern !== '*' && pattern !== '**/*'
  return (path) =>
    path.startsWith(start) && rules.ignores(path) && !(isAboutFiles && isFolderMatch(rules, path))
}

/** What every path begins with that the pattern fits, to tell most of them apart quickly. */
function literalStart(pattern: string): string {
  // Without a slash before its end, a pattern fits names at every depth.
  const isRooted = /\/[^]/.test(pattern)
  return isRooted ? (/^\/?([^*?[\]\\]*)/.exec(pattern)?.[1] ?? '') : ''
}

function isFolderMatch(rules: { readonly ignores: IsMatch }, path: string): boolean {
  const end = path.lastIndexOf('/')
  return end > 0 && rules.ignores(`${path.slice(0, end)}/`)
}
