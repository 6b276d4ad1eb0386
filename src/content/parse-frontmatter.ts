import type * as z from 'zod'
import type { Problem } from '../model/diagnostic.ts'
import { DIAGNOSTICS, type DiagnosticCode } from '../model/diagnostic-codes.ts'
import type { FieldPositions, Frontmatter } from '../model/document.ts'
import { nearest } from '../util/nearest.ts'
import { FRONTMATTER_KEYS, frontmatterSchema } from './frontmatter-schema.ts'
import { hintForYaml, type PositionedYaml } from './yaml-positions.ts'

export type ParsedFrontmatter =
  | { readonly kind: 'valid'; readonly frontmatter: Frontmatter; readonly positions: FieldPositions }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }

/** Validates parsed frontmatter against the schema; every problem of the block is reported, each at its value. */
export function parseFrontmatter(yaml: PositionedYaml): ParsedFrontmatter {
  if (yaml.errors.length > 0) return { kind: 'invalid', problems: yaml.errors.map(syntaxProblem) }
  const value = yaml.value ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { kind: 'invalid', problems: [notAMapping(yaml)] }
  }
  const result = frontmatterSchema.safeParse(value)
  if (result.success) {
    return { kind: 'valid', frontmatter: result.data, positions: collectPositions(result.data, yaml) }
  }
  return { kind: 'invalid', problems: result.error.issues.flatMap((issue) => problemsOf(issue, yaml, value)) }
}

function syntaxProblem({ message, line, column }: PositionedYaml['errors'][number]): Problem {
  return {
    code: 'frontmatter-syntax',
    message: `The frontmatter is not valid YAML: ${message}`,
    hint: hintForYaml(message),
    line,
    column,
  }
}

function notAMapping(yaml: PositionedYaml): Problem {
  return {
    code: 'frontmatter-syntax',
    message: 'The frontmatter is not a list of keys with values.',
    hint: 'Write one `key: value` a line, such as `title: Reset your password`.',
    ...yaml.positionOf([]),
  }
}

function problemsOf(issue: z.core.$ZodIssue, yaml: PositionedYaml, value: object): Problem[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, yaml, value))
  const field = String(issue.path[0] ?? '')
  if (field === 'title' && !('title' in value)) return [MISSING_TITLE]
  const position = yaml.positionOf(issue.path)
  return [
    {
      code: codeOf(issue),
      message: `${formatPath(issue.path)} ${issue.message}.`,
      ...hintOf(issue),
      ...position,
    },
  ]
}

function unknownKey(key: string, yaml: PositionedYaml, value: object): Problem {
  const meant = nearest(
    key,
    FRONTMATTER_KEYS.filter((known) => !(known in value)),
  )
  return {
    code: 'frontmatter-unknown-key',
    message: `Unknown key "${key}".`,
    hint: meant === undefined ? `The keys are: ${FRONTMATTER_KEYS.join(', ')}.` : `Did you mean "${meant}"?`,
    ...yaml.positionOfKey([], key),
  }
}

// The title is missing from the block as a whole: its first line is the place.
const MISSING_TITLE: Problem = {
  code: 'title-missing',
  message: 'The article has no title.',
  hint: 'Add a line `title: …` to the frontmatter.',
  line: 1,
  column: 1,
}

function codeOf(issue: z.core.$ZodIssue): DiagnosticCode {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined
  if (typeof code === 'string' && code in DIAGNOSTICS) return code as DiagnosticCode
  if (issue.path[0] === 'categories' && issue.code === 'too_small' && issue.path.length === 1)
    return 'category-missing'
  return 'frontmatter-value'
}

const HINTS: Partial<Record<DiagnosticCode, string>> = {
  'excerpt-too-long': 'Shorten it, or leave it out: the first paragraph is used then, cut at a word.',
  'slug-invalid': 'Use lower-case words joined by hyphens, such as reset-password.',
  'date-invalid': 'Write year, month and day of a day in the calendar, such as 2027-01-31.',
}

function hintOf(issue: z.core.$ZodIssue): { hint?: string } {
  const hint = HINTS[codeOf(issue)]
  return hint === undefined ? {} : { hint }
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${String(key)}`),
    '',
  )
}

/** Where the values stand that later checks (slugs, categories, tags, the original) may object to. */
function collectPositions(frontmatter: Frontmatter, yaml: PositionedYaml): FieldPositions {
  const fields = (['title', 'slug', 'language', 'translationOf'] as const).filter(
    (field) => frontmatter[field] !== undefined,
  )
  const items = (['categories', 'tags'] as const).flatMap((field) =>
    (frontmatter[field] ?? []).map((_, index) => [field, index] as const),
  )
  return Object.fromEntries([
    ...fields.map((field) => [field, yaml.positionOf([field])]),
    ...items.map(([field, index]) => [`${field}[${index}]`, yaml.positionOf([field, index])]),
  ]) as FieldPositions
}
