import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { schemaFile } from './schema-file.ts'

/** Judges logs by the official schema; it is written in an older draft that differs in nothing it uses. */
export function sarifValidator() {
  const file = schemaFile('sarif-2.1.0.json')
  const { $schema: _schema, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv)
  return ajv.compile(schema)
}
