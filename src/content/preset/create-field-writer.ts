import { isDeepStrictEqual } from 'node:util'
import type { Frontmatter } from '../../core/model/document.ts'
import type {
  FrontmatterData,
  FrontmatterFields,
  FrontmatterMapping,
} from '../../core/model/frontmatter-mapping.ts'
import { editKeys } from '../write-back/file/edit-keys.ts'
import { call } from './apply-reader.ts'
import type { FrontmatterFiles, WrittenFile } from './frontmatter-files.ts'
import { keysToWrite } from './keys-to-write.ts'
import { formatOf } from './split-tool-file.ts'

type Field = keyof Frontmatter

/**
 * Writes fields of ours into the frontmatter of a tool, or of the user. Every field is read back: what would not be what
 * is wanted is not written.
 */
export function createFieldWriter(
  mapping: FrontmatterMapping,
  { split, map }: Pick<FrontmatterFiles, 'split' | 'map'>,
): Pick<FrontmatterFiles, 'edit' | 'create'> {
  const readFields = (text: string, source: string): FrontmatterData => {
    const parts = split(text.replace(/^\uFEFF/, ''))
    return parts.kind === 'problem' ? {} : asData(map(parts.yaml, source).yaml.value)
  }
  const write = (text: string, fields: FrontmatterFields, source: string, former: string): string => {
    const plain = text.replace(/^\uFEFF/, '')
    const parts = split(plain)
    if (parts.kind === 'problem') return text
    const data = asData(parts.yaml.value)
    const keys =
      mapping.write === undefined
        ? keysToWrite(fields, data, former, mapping)
        : call(() => mapping.write?.(fields, { source, data }) ?? {}, source, 'frontmatter.write')
    return editKeys(text, keys, { format: formatOf(plain, mapping.preset), body: parts.body })
  }
  const edit = (text: string, changed: FrontmatterFields, source: string, former: string): WrittenFile => {
    const all = write(text, changed, source, former)
    const read = readFields(all, source)
    const unwritten = namesOf(changed).filter((field) => !isRead(read, field, changed[field]))
    if (unwritten.length === 0) return { text: all, unwritten }
    const kept = pick(changed, (field) => !unwritten.includes(field))
    return { text: namesOf(kept).length === 0 ? text : write(text, kept, source, former), unwritten }
  }
  const changesOf = (text: string, fields: FrontmatterFields, source: string): FrontmatterFields => {
    const before = readFields(text, source)
    return pick(fields, (field) => !isRead(before, field, fields[field]))
  }
  return {
    edit: (text, fields, source, former = source) =>
      edit(text, changesOf(text, fields, source), source, former),
    create: (fields, body, source) => {
      const text = body.replace(/^\s*\n/, '')
      const empty = `---\n---\n${text.trim() === '' ? '' : `\n${text}`}`
      // A title that the file's name would make is written all the same: the file may be renamed.
      const wanted = { title: fields.title, ...changesOf(empty, fields, source) }
      return edit(empty, wanted, source, source)
    },
  }
}

function namesOf(fields: FrontmatterFields): Field[] {
  return Object.keys(fields) as Field[]
}

function pick(fields: FrontmatterFields, isWanted: (field: Field) => boolean): FrontmatterFields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => isWanted(field as Field)))
}

/** No value is as good as one that says nothing. */
function isRead(data: FrontmatterData, field: Field, wanted: unknown): boolean {
  const valueOf = (value: unknown) => (Array.isArray(value) && value.length === 0 ? null : (value ?? null))
  const read = valueOf(data[field])
  return isDeepStrictEqual(read, valueOf(wanted)) || (field === 'hideFromSearch' && !read && wanted !== true)
}

function asData(value: unknown): FrontmatterData {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as FrontmatterData)
    : {}
}
