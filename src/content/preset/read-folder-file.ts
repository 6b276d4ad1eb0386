import { join } from 'node:path'
import { isTooLongName, NAME_LENGTH_RULE } from '../../api/contract/fields.ts'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { isRecord } from '../../core/is-record.ts'
import { readSource } from '../source/read-source.ts'
import { parsePositionedYaml, type PositionedYaml } from '../frontmatter/yaml-positions.ts'
import { findKey } from './readings.ts'
import { splitToolFile } from '../frontmatter/split-tool-file.ts'

/** The description of a folder in a tool's file. */
export interface FolderTexts {
  readonly name: string | undefined
  readonly order: number | undefined
  readonly description: string | undefined
  /** Placeholder for HTML that is rendered later. */
  readonly longDescription?: string | undefined
  /** Path of the page that lists the folder, as written. */
  readonly address: string | undefined
  /** True if the file requests such a page. */
  readonly isListed: boolean
  readonly problems: readonly Problem[]
}

/** Reads the file in which a tool describes a folder. A file with a problem counts as empty. */
export function readFolderFile(contentRoot: string, source: string, dialect: Dialect): FolderTexts {
  const read = readFolderData(contentRoot, source, dialect)
  if (read.kind === 'problems') return { ...NOTHING, problems: read.problems }
  const { yaml } = read
  const { keys, pages } = dialect.folders
  const { foldsKeys = false } = dialect.frontmatter
  const firstOf = (what: keyof NonNullable<typeof keys>): unknown =>
    keys?.[what]
      .map((path) => valueAt(yaml.value, path, foldsKeys))
      .find((value) => value !== undefined && value !== null)
  const order = firstOf('order')
  const name = textOf(firstOf('name'))
  if (name !== undefined && isTooLongName(name))
    return { ...NOTHING, problems: [tooLongName('The name of the folder', yaml.positionOf([]))] }
  return {
    name,
    order: typeof order === 'number' ? order : undefined,
    description: textOf(firstOf('description')),
    address: textOf(firstOf('address')),
    isListed:
      pages === 'every' || (pages !== undefined && valueAt(yaml.value, pages.key, foldsKeys) === pages.value),
    problems: [],
  }
}

const NOTHING = {
  name: undefined,
  order: undefined,
  description: undefined,
  address: undefined,
  isListed: false,
}

/** Reads the file that describes the tags, which maps names in articles to labels and descriptions. */
export function readTagsFile(contentRoot: string, source: string, dialect: Dialect) {
  const read = readFolderData(contentRoot, source, dialect)
  if (read.kind === 'problems') return { tags: [], problems: read.problems }
  const { value } = read.yaml
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const nameOf = (key: string, texts: unknown) => textOf(valueAt(texts, 'label', false)) ?? key
  const problems = entries
    .filter(([key, texts]) => isTooLongName(nameOf(key, texts)))
    .map(([key]) => tooLongName('The name of a tag', read.yaml.positionOfKey([], key)))
  if (problems.length > 0) return { tags: [], problems }
  return {
    problems: [],
    tags: entries.map(([key, texts]) => ({
      key,
      name: nameOf(key, texts),
      description: textOf(valueAt(texts, 'description', false)),
      source,
      line: read.yaml.positionOfKey([], key).line,
    })),
  }
}

function tooLongName(what: string, span: Span): Problem {
  return {
    code: 'taxonomy-value',
    message: `${what} ${NAME_LENGTH_RULE}.`,
    hint: 'Shorten it, and move the rest to the description.',
    ...span,
  }
}

type ReadData =
  | { readonly kind: 'data'; readonly yaml: PositionedYaml }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }

function readFolderData(contentRoot: string, source: string, dialect: Dialect): ReadData {
  const read = readSource(join(contentRoot, source))
  if (read.kind === 'problem')
    return { kind: 'problems', problems: read.problem.code === 'file-empty' ? [] : [read.problem] }
  const split = dialect.folders.hasText
    ? splitToolFile(read.text, dialect)
    : ({ kind: 'split', yaml: parsePositionedYaml(read.text) } as const)
  if (split.kind === 'problem')
    return { kind: 'problems', problems: [{ ...split.problem, code: 'taxonomy-syntax' }] }
  const { yaml } = split
  if (yaml.errors.length === 0) return { kind: 'data', yaml }
  const problems = yaml.errors.map(({ message, ...rest }): Problem => ({
    code: 'taxonomy-syntax',
    message: `Its metadata for the folder cannot be read: ${message}.`,
    ...rest,
  }))
  return { kind: 'problems', problems }
}

/** @param path `a.b` is the key b within a */
function valueAt(data: unknown, path: string, folds: boolean): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isRecord(value) ? findKey(value, key, folds)?.value : undefined), data)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
