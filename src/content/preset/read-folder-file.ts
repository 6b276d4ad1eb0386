import { join } from 'node:path'
import { isTooLongName, NAME_LENGTH_RULE } from '../../api/contract/fields.ts'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import type { PresetName } from '../../core/model/preset-name.ts'
import { readSource } from '../source/read-source.ts'
import { hintForYaml, parsePositionedYaml, type PositionedYaml } from '../frontmatter/yaml-positions.ts'
import { findKey } from './find-key.ts'
import { splitToolFile } from './split-tool-file.ts'

/** What a tool's file says of its folder. */
export interface FolderTexts {
  readonly name: string | undefined
  readonly order: number | undefined
  readonly description: string | undefined
  /** Stands for HTML that is made later. */
  readonly longDescription?: string | undefined
  /** Of the page that lists the folder, as it is written. */
  readonly address: string | undefined
  /** Whether the file asks for such a page. */
  readonly isListed: boolean
  readonly problems: readonly Problem[]
}

/** Reads `_category_.json` or `.yml` of Docusaurus, or `_index.md` of Hugo. A file with a problem says nothing. */
export function readFolderFile(contentRoot: string, source: string, preset: PresetName): FolderTexts {
  const read = readFolderData(contentRoot, source, preset)
  if (read.kind === 'problems') return { ...NOTHING, problems: read.problems }
  const { yaml } = read
  const value = (...keys: readonly string[]): unknown => valueOf(yaml.value, keys, preset === 'hugo')
  const texts =
    preset === 'hugo'
      ? {
          name: value('title') ?? value('linkTitle'),
          order: value('weight'),
          description: value('description'),
          address: value('url'),
        }
      : {
          name: value('label'),
          order: value('position'),
          description: value('description') ?? value('link', 'description'),
          address: value('link', 'slug'),
        }
  const name = textOf(texts.name)
  if (name !== undefined && isTooLongName(name)) {
    return { ...NOTHING, problems: [tooLongName('The name of the folder', yaml.positionOf([]))] }
  }
  return {
    name,
    order: typeof texts.order === 'number' ? texts.order : undefined,
    description: textOf(texts.description),
    address: textOf(texts.address),
    isListed: preset === 'hugo' || value('link', 'type') === 'generated-index',
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

/** Reads `tags.yml` of Docusaurus: a map from what articles write to label and description. */
export function readTagsFile(contentRoot: string, source: string) {
  const read = readFolderData(contentRoot, source, 'docusaurus')
  if (read.kind === 'problems') return { tags: [], problems: read.problems }
  const { value } = read.yaml
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const nameOf = (key: string, texts: unknown) => textOf(valueOf(texts, ['label'], false)) ?? key
  const problems = entries
    .filter(([key, texts]) => isTooLongName(nameOf(key, texts)))
    .map(([key]) => tooLongName('The name of a tag', read.yaml.positionOfKey([], key)))
  if (problems.length > 0) return { tags: [], problems }
  return {
    problems: [],
    tags: entries.map(([key, texts]) => ({
      key,
      name: nameOf(key, texts),
      description: textOf(valueOf(texts, ['description'], false)),
      source,
      line: read.yaml.positionOfKey([], key).line,
    })),
  }
}

function tooLongName(what: string, span: Span): Problem {
  return {
    code: 'taxonomy-value',
    message: `${what} ${NAME_LENGTH_RULE}.`,
    hint: 'Shorten it; what it says more belongs in the description.',
    ...span,
  }
}

type ReadData =
  | { readonly kind: 'data'; readonly yaml: PositionedYaml }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }

function readFolderData(contentRoot: string, source: string, preset: PresetName): ReadData {
  const read = readSource(join(contentRoot, source))
  if (read.kind === 'problem') {
    return { kind: 'problems', problems: read.problem.code === 'file-empty' ? [] : [read.problem] }
  }
  const split =
    preset === 'hugo'
      ? splitToolFile(read.text, preset)
      : ({ kind: 'split', yaml: parsePositionedYaml(read.text) } as const)
  if (split.kind === 'problem')
    return { kind: 'problems', problems: [{ ...split.problem, code: 'taxonomy-syntax' }] }
  const { yaml } = split
  if (yaml.errors.length === 0) return { kind: 'data', yaml }
  const problems = yaml.errors.map(({ message, ...span }): Problem => ({
    code: 'taxonomy-syntax',
    message: `What it says of its folder cannot be read: ${message}`,
    hint: hintForYaml(message),
    ...span,
  }))
  return { kind: 'problems', problems }
}

function valueOf(data: unknown, [key, ...rest]: readonly string[], folds: boolean): unknown {
  if (key === undefined) return data
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  return valueOf(findKey(data as Record<string, unknown>, key, folds)?.value, rest, folds)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
