import type * as z from 'zod'
import type { Position, Problem } from '../model/diagnostic.ts'
import { nearest } from '../util/nearest.ts'
import { readSource } from './read-source.ts'
import { hintForYaml, parsePositionedYaml, type PositionedYaml } from './yaml-positions.ts'

/** A taxonomy file's entries, each with the place where it begins. */
export interface TaxonomyFile<Entry> {
  /** Undefined where the file has a problem: nothing can be said then of who names what. */
  readonly entries: readonly { readonly entry: Entry; readonly at: Position }[] | undefined
  readonly problems: readonly Problem[]
}

/** Reads and validates a taxonomy file; a file with any problem yields no entries. */
export function readTaxonomyFile<Entry>(
  file: string,
  schema: z.ZodType<Entry[]>,
  knownKeys: readonly string[],
): TaxonomyFile<Entry> {
  const read = readSource(file)
  if (read.kind === 'problem') return { entries: undefined, problems: [unreadable(read.problem)] }
  const yaml = parsePositionedYaml(read.text)
  if (yaml.errors.length > 0) return { entries: undefined, problems: yaml.errors.map(syntaxProblem) }
  const result = schema.safeParse(yaml.value ?? [], { reportInput: true })
  if (!result.success) {
    return {
      entries: undefined,
      problems: result.error.issues.flatMap((issue) => problemsOf(issue, yaml, knownKeys)),
    }
  }
  return {
    entries: result.data.map((entry, index) => ({ entry, at: yaml.positionOf([index]) })),
    problems: [],
  }
}

function unreadable(problem: Problem): Problem {
  if (problem.code !== 'file-empty') return problem
  return { ...problem, hint: 'Write a list that begins with `- name: …`, or delete the file.' }
}

function syntaxProblem({ message, line, column }: PositionedYaml['errors'][number]): Problem {
  return {
    code: 'taxonomy-syntax',
    message: `The file is not valid YAML: ${message}`,
    hint: hintForYaml(message),
    line,
    column,
  }
}

function problemsOf(issue: z.core.$ZodIssue, yaml: PositionedYaml, knownKeys: readonly string[]): Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey(key, issue.path, yaml, knownKeys))
  }
  if (issue.path.length === 0) {
    return [{ code: 'taxonomy-syntax', message: `The file ${issue.message}.`, ...yaml.positionOf([]) }]
  }
  const field = issue.path.slice(1).map(String).join('.')
  const missing = issue.code === 'invalid_type' && issue.input === undefined && field !== ''
  return [
    {
      code: 'taxonomy-value',
      message: missing ? `${field} is missing.` : `${field || 'The entry'} ${issue.message}.`,
      ...yaml.positionOf(issue.path),
    },
  ]
}

function unknownKey(
  key: string,
  path: readonly PropertyKey[],
  yaml: PositionedYaml,
  knownKeys: readonly string[],
): Problem {
  const meant = nearest(key, knownKeys)
  return {
    code: 'taxonomy-unknown-key',
    message: `Unknown key "${key}".`,
    hint: meant === undefined ? `The keys are: ${knownKeys.join(', ')}.` : `Did you mean "${meant}"?`,
    ...yaml.positionOfKey(path, key),
  }
}
