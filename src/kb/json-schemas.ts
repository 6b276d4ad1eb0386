import type * as z from 'zod'

/** The schemas that editors and other programs may use, by name; each is made when it is asked for. */
export const JSON_SCHEMAS = {
  frontmatter: async () =>
    toJsonSchema((await import('../content/frontmatter/frontmatter-schema.ts')).frontmatterSchema),
  categories: async () =>
    toJsonSchema((await import('../content/taxonomy/taxonomy-schema.ts')).categoriesSchema),
  tags: async () => toJsonSchema((await import('../content/taxonomy/taxonomy-schema.ts')).tagsSchema),
  config: async () => toJsonSchema((await import('../core/config/schema.ts')).configSchema),
} as const satisfies Record<string, () => Promise<object>>

/** JSON Schema 2020-12 of what a user may write. */
async function toJsonSchema(schema: z.ZodType): Promise<object> {
  const { toJSONSchema } = await import('zod')
  return toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // A function in the configuration has no JSON form; the pattern beside it has.
    override: ({ jsonSchema }) => {
      // That the program changes no list says nothing of the file.
      delete jsonSchema.readOnly
      // A list that may be written as its only item.
      if (jsonSchema.anyOf !== undefined && jsonSchema.type === 'array') {
        const { type, items, minItems } = jsonSchema
        jsonSchema.anyOf.push({ type, ...(items && { items }), ...(minItems && { minItems }) })
        for (const key of ['type', 'items', 'minItems']) delete jsonSchema[key]
      }
      if (jsonSchema.anyOf !== undefined) jsonSchema.anyOf = jsonSchema.anyOf.filter(isSaying)
    },
  })
}

function isSaying(schema: object): boolean {
  return Object.keys(schema).length > 0
}
