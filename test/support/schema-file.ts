import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A file of the JSON Schema Store, which collects the schemas of other programs' files. */
export function schemaFile(name: string): string {
  const store = dirname(createRequire(import.meta.url).resolve('schemastore/package.json'))
  return join(store, 'schemas/json', name)
}
