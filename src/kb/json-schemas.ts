import type * as z from 'zod'

/** The JSON Schemas for editors and other programs, by name. Each is generated on demand. */
export const JSON_SCHEMAS = {
  frontmatter: async () =>
    toJsonSchema((await import('../content/frontmatter/frontmatter-schema.ts')).frontmatterSchema),
  categories: async () =>
    toJsonSchema((await import('../content/taxonomy/taxonomy-schema.ts')).categoriesSchema),
  tags: async () => toJsonSchema((await import('../content/taxonomy/taxonomy-schema.ts')).tagsSchema),
  config: async () => toJsonSchema((await import('../core/config/schema.ts')).configSchema),
} as const satisfies Record<string, () => Promise<object>>

/** Returns the JSON Schema (2020-12) of a user's input. */
async function toJsonSchema(schema: z.ZodType): Promise<object> {
  const { toJSONSchema } = await import('zod')
  return toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // A function in the configuration has no JSON form, but its alternative, the pattern, has one.
    override: ({ jsonSchema }) => {
      // `readonly` in the program does not apply to the file.
      delete jsonSchema.readOnly
      // A list that can be written as its only item.
      if (jsonSchema.anyOf !== undefined && jsonSchema.type === 'array') {
        const { type, items, minItems, maxItems } = jsonSchema
        jsonSchema.anyOf.push({
          type,
          ...(items && { items }),
          ...(minItems && { minItems }),
          ...(maxItems && { maxItems }),
        })
        for (const key of ['type', 'items', 'minItems', 'maxItems']) delete jsonSchema[key]
      }
      if (jsonSchema.anyOf !== undefined) jsonSchema.anyOf = jsonSchema.anyOf.filter(isSaying)
    },
  })
}

function isSaying(schema: object): boolean {
  return Object.keys(schema).length > 0
}
