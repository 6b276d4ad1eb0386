import type * as z from 'zod'
import { KbError } from '../../errors/kb-error.ts'
import { nearest } from '../../util/nearest.ts'
import { readProgramVersion } from '../../util/version.ts'
import { formatJson } from '../format-json.ts'
import type { Terminal } from '../terminal.ts'

const SCHEMAS = {
  frontmatter: async () =>
    toJsonSchema((await import('../../content/frontmatter-schema.ts')).frontmatterSchema),
  categories: async () => toJsonSchema((await import('../../content/taxonomy-schema.ts')).categoriesSchema),
  tags: async () => toJsonSchema((await import('../../content/taxonomy-schema.ts')).tagsSchema),
  config: async () => toJsonSchema((await import('../../config/schema.ts')).configSchema),
  openapi: async () => (await import('../../contract/openapi.ts')).openApiDocument(readProgramVersion()),
} as const satisfies Record<string, () => Promise<object>>

/** `kb schema NAME` */
export async function printSchema(name: string, terminal: Terminal): Promise<void> {
  if (!Object.hasOwn(SCHEMAS, name)) throw unknownSchema(name)
  const schema = await SCHEMAS[name as keyof typeof SCHEMAS]()
  terminal.out(formatJson(schema))
}

async function toJsonSchema(schema: z.ZodType): Promise<object> {
  const { toJSONSchema } = await import('zod')
  // A function in the configuration has no JSON form; the pattern beside it has.
  return toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

function unknownSchema(name: string): KbError {
  const names = Object.keys(SCHEMAS)
  const meant = nearest(name, names)
  return new KbError('USAGE', `There is no schema "${name}".`, {
    hint: meant === undefined ? `The schemas are: ${names.join(', ')}.` : `Did you mean "${meant}"?`,
  })
}
