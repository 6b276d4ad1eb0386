import { unknownKeyProblem, fixDate, fixScalar, fixSlug, fixStatus, trailingSpaceProblem } from './fixes.ts'
import type * as z from 'zod'
import type { Problem } from '../../core/model/diagnostic.ts'
import { DIAGNOSTICS, type DiagnosticCode } from '../../core/model/diagnostic-codes.ts'
import type { FieldPositions, Frontmatter, NamedTaxonomy } from '../../core/model/document.ts'
import { EXCERPT_LIMIT } from '../../api/contract/fields.ts'
import { readFlag, suggestValue } from '../../core/explain-issue.ts'
import { countCodePoints } from '../../core/code-points.ts'
import { FRONTMATTER_KEYS, frontmatterSchema, namedSchema } from './frontmatter-schema.ts'
import { FRONTMATTER_START } from '../source/source-problem.ts'
import type { PositionedYaml, SyntaxProblem } from './yaml-positions.ts'

export type ParsedFrontmatter =
  | {
      readonly kind: 'valid'
      readonly frontmatter: Frontmatter
      readonly positions: FieldPositions
      /** Problems found by rules. */
      readonly problems: readonly Problem[]
    }
  | {
      readonly kind: 'invalid'
      readonly problems: readonly Problem[]
      /** The names in invalid frontmatter; undefined if it cannot be read. */
      readonly named?: NamedTaxonomy
    }

/** Validates frontmatter against the schema. Reports every problem at its value. */
export function parseFrontmatter(yaml: PositionedYaml): ParsedFrontmatter {
  if (yaml.errors.length > 0)
    return { kind: 'invalid', problems: yaml.errors.map((error) => syntaxProblem(error, yaml)) }
  const value = yaml.value ?? {}
  if (typeof value !== 'object' || Array.isArray(value))
    return { kind: 'invalid', problems: [notAMapping(yaml)] }
  const rules = checkRules(value as Readonly<Record<string, unknown>>, yaml)
  const result = frontmatterSchema.safeParse(value, { reportInput: true })
  const wrong = mergeTitle((result.error?.issues ?? []).flatMap((issue) => problemsOf(issue, yaml, value)))
  const frontmatter = result.data ?? withoutUnknownKeys.safeParse(value).data
  if (frontmatter !== undefined) {
    const positions = collectPositions(frontmatter, yaml)
    return { kind: 'valid', frontmatter, positions, problems: [...wrong, ...rules] }
  }
  return { kind: 'invalid', problems: [...wrong, ...rules], named: readNamed(value, yaml) }
}

/** Reports a typo in the key `title` once: as the missing title, because the rule for unknown keys may be off. */
function mergeTitle(problems: readonly Problem[]): readonly Problem[] {
  const typo = problems.find(({ fix }) => fix?.[0]?.text === 'title')
  if (typo === undefined || !problems.includes(MISSING_TITLE)) return problems
  const { code, message } = MISSING_TITLE
  return problems.flatMap((each) =>
    each === MISSING_TITLE ? [] : each === typo ? [{ ...typo, code, message }] : [each],
  )
}

/** A rule reports unknown keys, which are then ignored. */
const withoutUnknownKeys = frontmatterSchema.strip()

/** Checks rules of style, which never make the frontmatter invalid. */
function checkRules({ excerpt }: Readonly<Record<string, unknown>>, yaml: PositionedYaml): Problem[] {
  const trailing = trailingSpaceProblem(yaml.trailingSpaces())
  const length = typeof excerpt === 'string' ? countCodePoints(excerpt) : 0
  if (length <= EXCERPT_LIMIT) return trailing
  const tooLong: Problem = {
    code: 'excerpt-too-long',
    message: `excerpt has ${length} characters; at most ${EXCERPT_LIMIT} are allowed.`,
    hint: 'Shorten it, or remove it to use the beginning of the first paragraph.',
    ...yaml.positionOf(['excerpt']),
  }
  return [tooLong, ...trailing]
}

function syntaxProblem({ message, ...rest }: SyntaxProblem, { format }: PositionedYaml): Problem {
  return {
    code: 'frontmatter-syntax',
    message: `The frontmatter is not valid ${format ?? 'YAML'}: ${message}.`,
    ...rest,
  }
}

function notAMapping(yaml: PositionedYaml): Problem {
  return {
    code: 'frontmatter-syntax',
    message: 'The frontmatter is not a list of keys with values.',
    hint: 'Write one `key: value` per line, such as `title: Reset your password`.',
    ...yaml.positionOf([]),
  }
}

function problemsOf(issue: z.core.$ZodIssue, yaml: PositionedYaml, value: object): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const entry = value as Readonly<Record<string, unknown>>
    const { toolKeys = [] } = yaml
    return issue.keys.map((key) =>
      unknownKeyProblem({
        code: 'frontmatter-unknown-key',
        key,
        span: yaml.positionOfKey([], key),
        known: [...new Set([...FRONTMATTER_KEYS, ...toolKeys])],
        entry: yaml.written ?? entry,
        unknown: issue.keys,
        fits: (known) =>
          toolKeys.includes(known) ||
          isGood(known, entry[key]) ||
          isGood(known, fixed(entry[key], FIXES[known])),
      }),
    )
  }
  const field = String(issue.path[0] ?? '')
  if (field === 'title' && !('title' in value)) return [MISSING_TITLE]
  const position = yaml.positionOf(issue.path)
  if (issue.path.length === 1 && (value as Readonly<Record<string, unknown>>)[field] === null)
    return [{ ...noValue(field), ...position }]
  const { path, isFlag } = yaml.writtenAs?.(issue.path) ?? { ...issue, isFlag: false }
  return [
    {
      code: codeOf(issue),
      message: `${formatPath(path)} ${isFlag ? 'must be true or false' : issue.message}.`,
      ...hintOf(isFlag ? { ...issue, code: 'invalid_type', expected: 'boolean' } : issue),
      ...position,
      ...fixOf(issue, value as Readonly<Record<string, unknown>>, yaml, isFlag ? readFlag : FIXES[field]),
    },
  ]
}

function noValue(field: string): Pick<Problem, 'code' | 'message' | 'hint'> {
  const message = `${field} has no value.`
  return field === 'title'
    ? { code: 'title-missing', message, hint: 'Write the title of the article after the colon.' }
    : { code: 'frontmatter-value', message, hint: 'Add a value, or remove the line.' }
}

type FixValue = (text: string) => string | number | boolean | undefined

/** Corrections of a value, for fields where the intention is clear. */
const FIXES: Readonly<Record<string, FixValue>> = {
  hideFromSearch: readFlag,
  order: (text) => (/^-?\d{1,9}(?:\.\d{1,9})?$/.test(text.trim()) ? Number(text) : undefined),
  reviewDate: fixDate,
  slug: fixSlug,
  status: fixStatus,
}

function fixOf(
  { path }: z.core.$ZodIssue,
  value: Readonly<Record<string, unknown>>,
  yaml: PositionedYaml,
  fix: FixValue | undefined,
): Pick<Problem, 'fix'> {
  const written = value[String(path[0])]
  const wanted = fixed(written, fix)
  if (typeof written !== 'string' || wanted === undefined) return {}
  const change = fixScalar(yaml.textOf(path), written, wanted, yaml.positionOf(path))
  return change === undefined ? {} : { fix: [change] }
}

function fixed(value: unknown, fix: FixValue | undefined): ReturnType<FixValue> {
  return typeof value === 'string' ? fix?.(value) : undefined
}

function isGood(field: string, value: unknown): boolean {
  const schema = frontmatterSchema.shape[field as keyof typeof frontmatterSchema.shape]
  return value !== undefined && schema.safeParse(value).success
}

// The title is missing in the whole block, so the problem is at its first line.
const MISSING_TITLE: Problem = {
  code: 'title-missing',
  message: 'The article has no title.',
  hint: 'Add a line `title: …` to the frontmatter.',
  ...FRONTMATTER_START,
}

function codeOf(issue: z.core.$ZodIssue): DiagnosticCode {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined
  if (typeof code === 'string' && code in DIAGNOSTICS) return code as DiagnosticCode
  if (issue.path[0] === 'categories' && issue.code === 'too_small' && issue.path.length === 1)
    return 'category-missing'
  return 'frontmatter-value'
}

const HINTS: Partial<Record<DiagnosticCode, string>> = {
  'title-too-long': 'Shorten it, and move the rest to the text or the excerpt.',
  'slug-invalid': 'Use lower-case words joined by hyphens, such as reset-password.',
  'date-invalid': 'Use an existing date as YYYY-MM-DD, such as 2027-01-31.',
}

function hintOf(issue: z.core.$ZodIssue): { hint?: string } {
  const hint = HINTS[codeOf(issue)] ?? suggestValue(issue)
  return hint === undefined ? {} : { hint }
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${String(key)}`),
    '',
  )
}

/** Reads the valid lists of names. Other errors in the frontmatter do not prevent their check. */
function readNamed(value: object, yaml: PositionedYaml): NamedTaxonomy {
  const { categories, tags } = namedSchema.parse(value)
  return { categories, tags, positions: collectPositions({ categories, tags }, yaml) }
}

function collectPositions(frontmatter: Partial<Frontmatter>, yaml: PositionedYaml): FieldPositions {
  const fields = (
    ['title', 'slug', 'language', 'translationOf', 'reviewDate', 'seoBannerUrl'] as const
  ).filter((field) => frontmatter[field] !== undefined)
  const items = (['categories', 'tags', 'aliases'] as const).flatMap((field) =>
    (frontmatter[field] ?? []).map((_, index) => [field, index] as const),
  )
  return Object.fromEntries([
    ...fields.map((field) => [field, yaml.positionOf([field])]),
    ...items.map(([field, index]) => [`${field}[${index}]`, yaml.positionOf([field, index])]),
  ]) as FieldPositions
}
