import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'
import type { FrontmatterFormat } from '../frontmatter/split-tool-file.ts'
import { editYaml, writeValues } from './edit-frontmatter.ts'
import { editJson } from './edit-json.ts'
import { editToml } from './edit-toml.ts'
import { lineEndOf } from './split-file.ts'

/**
 * Changes keys in the frontmatter of a file's whole text. Null removes a key.
 *
 * @param body the text after the frontmatter
 */
export function editKeys(
  text: string,
  keys: FrontmatterData,
  format: FrontmatterFormat,
  body: string,
): string {
  const wanted = Object.entries(keys)
  if (wanted.length === 0) return text
  const head = text.slice(0, text.length - body.length)
  const eol = lineEndOf(text)
  switch (format) {
    case 'none': {
      const mark = /^\uFEFF?/.exec(text)?.[0] ?? ''
      const values = Object.fromEntries(wanted.filter(([, value]) => value !== null))
      if (Object.keys(values).length === 0) return text
      const block = `---${eol}${writeValues(values, eol)}---${eol}`
      return `${mark}${block}${body === '' ? '' : eol}${text.slice(mark.length)}`
    }
    case 'yaml': {
      const start = head.indexOf('\n') + 1
      const end = head.indexOf('\n---', start - 1) + 1
      return `${head.slice(0, start)}${editYaml(head.slice(start, end), keys, eol, Object.keys(keys))}${head.slice(end)}${body}`
    }
    case 'toml': {
      const start = head.indexOf('\n') + 1
      const end = start + (/^\+\+\+[ \t]*\r?$/m.exec(head.slice(start))?.index ?? 0)
      return `${head.slice(0, start)}${editToml(head.slice(start, end), keys, eol)}${head.slice(end)}${body}`
    }
    case 'json': {
      const start = head.indexOf('{')
      const end = head.lastIndexOf('}') + 1
      return `${head.slice(0, start)}${editJson(head.slice(start, end), keys)}${head.slice(end)}${body}`
    }
  }
}
