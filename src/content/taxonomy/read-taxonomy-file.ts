import { suggestValue } from '../../core/explain-issue.ts'
import { unknownKeyProblem, trailingSpaceProblem } from '../frontmatter/fixes.ts'
import type * as z from 'zod'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import { readSource } from '../source/read-source.ts'
import {
  parsePositionedYaml,
  type PositionedYaml,
  type SyntaxProblem,
} from '../frontmatter/yaml-positions.ts'

/** Returns the position of a field's value; the start of the entry if the field is missing. */
export type RangeOf = (...path: readonly string[]) => Span

export interface LocatedEntry<Entry> {
  readonly entry: Entry
  readonly rangeOf: RangeOf
}

/**
 * Reads and validates a taxonomy file. A rule reports unknown keys, which are then ignored.
 *
 * @returns `entries`: undefined if the file is invalid; its names are then unknown
 */
export function readTaxonomyFile<Entry>(
  file: string,
  schema: z.ZodType<Entry[]>,
  knownKeys: readonly string[],
): { readonly entries: readonly LocatedEntry<Entry>[] | undefined; readonly problems: readonly Problem[] } {
  const read = readSource(file)
  if (read.kind === 'problem') return { entries: undefined, problems: [unreadable(read.problem)] }
  const yaml = parsePositionedYaml(read.text)
  if (yaml.errors.length > 0) return { entries: undefined, problems: yaml.errors.map(syntaxProblem) }
  const value = yaml.value ?? []
  const { data, error } = schema.safeParse(value, { reportInput: true })
  const issues = error?.issues ?? []
  const problems = issues.flatMap((issue) => problemsOf(issue, yaml, schema, knownKeys))
  const entries = data ?? schema.safeParse(withoutUnknownKeys(value, issues)).data
  if (entries === undefined) return { entries, problems }
  return {
    entries: entries.map((entry, index) => ({
      entry,
      rangeOf: (...path) => yaml.positionOf([index, ...path]),
    })),
    problems: [...problems, ...trailingSpaceProblem(yaml.trailingSpaces())],
  }
}

function withoutUnknownKeys(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy: unknown = structuredClone(value)
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    const entry = at(copy, issue.path) as Record<string, unknown>
    for (const key of issue.keys) delete entry[key]
  }
  return copy
}

function unreadable(problem: Problem): Problem {
  if (problem.code !== 'file-empty') return problem
  return { ...problem, hint: 'Write a list that starts with `- name: …`, or delete the file.' }
}

function syntaxProblem({ message, ...rest }: SyntaxProblem): Problem {
  return { code: 'taxonomy-syntax', message: `The file is not valid YAML: ${message}.`, ...rest }
}

function problemsOf(
  issue: z.core.$ZodIssue,
  yaml: PositionedYaml,
  schema: z.ZodType,
  knownKeys: readonly string[],
): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    const { path, keys } = issue
    return keys.map((key) =>
      unknownKeyProblem({
        code: 'taxonomy-unknown-key',
        key,
        span: yaml.positionOfKey(path, key),
        known: knownKeys,
        entry: at(yaml.value, path) as object,
        unknown: keys,
        fits: (known) => isGood(schema, yaml.value, path, { key, known }),
      }),
    )
  }
  if (issue.path.length === 0)
    return [{ code: 'taxonomy-syntax', message: `The file ${issue.message}.`, ...yaml.positionOf([]) }]
  const field = issue.path.slice(1).map(String).join('.')
  const hint: unknown = issue.code === 'custom' ? issue.params?.['hint'] : suggestValue(issue)
  const missing = issue.code === 'invalid_type' && issue.input === undefined && field !== ''
  return [
    {
      code: 'taxonomy-value',
      message: missing ? `${field} is missing.` : `${field || 'The entry'} ${issue.message}.`,
      ...(typeof hint === 'string' && { hint }),
      ...yaml.positionOf(issue.path),
    },
  ]
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((inner, key) => (inner as Record<PropertyKey, unknown>)[key], value)
}

function isGood(
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  { key, known }: { readonly key: string; readonly known: string },
): boolean {
  const copy: unknown = structuredClone(value)
  const entry = at(copy, path) as Record<string, unknown>
  entry[known] = entry[key]
  const renamed = [...path, known]
  const { error } = schema.safeParse(copy)
  return !(error?.issues ?? []).some(
    (issue) =>
      renamed.every((step, index) => issue.path[index] === step) ||
      (issue.code === 'unrecognized_keys' && issue.keys.includes(known)),
  )
}
