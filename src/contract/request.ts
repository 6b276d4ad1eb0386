// The bodies of the three operations that take one (api-v2.md 4.2, 4.5, 4.9). Unknown members are ignored.
import { z } from 'zod'
import { excerptField, nameField, slugField, statusField, textField, writtenDateField } from './fields.ts'

const reference = (of: string) =>
  z.object({ value: z.string().min(1, 'must not be empty').describe(`Identifier of a ${of}.`) })

const optionalText = (description: string) => textField.optional().describe(description)

/** Body of "create an article" (api-v2.md 4.2). */
export const createArticleRequest = z
  .object({
    title: nameField.describe('Title of the article.'),
    slug: slugField,
    categories: z.array(reference('category')).describe('Categories of the article.'),
    tags: z.array(reference('tag')).optional().describe('Tags of the article.'),
    excerpt: excerptField,
    ordering: z.number().describe('Order priority.'),
    status: statusField,
    content: textField.describe('HTML.'),
    hideFromSearch: z.boolean().optional().describe('True hides the article from search.'),
    seoBannerUrl: optionalText('URL of the SEO banner image.'),
    articleReviewDate: writtenDateField.optional(),
  })
  .meta({ id: 'CreateArticleRequest' })

/** Body of "update a category" (api-v2.md 4.5). An optional field left out keeps its value. */
export const updateCategoryRequest = z
  .object({
    name: nameField.describe('Name of the category.'),
    slug: slugField,
    priority: z.number().describe('Ordering priority.'),
    categoryParent: optionalText('Identifier of the parent category; "" for none.'),
    description: optionalText('Plain description.'),
    longDescription: optionalText('HTML description.'),
    thumbnailUrl: optionalText('URL of a thumbnail image.'),
    iconUrl: optionalText('URL of an icon image.'),
    lang: z.string().min(1, 'must be a language code').describe('Language code.'),
  })
  .meta({ id: 'UpdateCategoryRequest' })

/** Body of "update a tag" (api-v2.md 4.9). An optional field left out keeps its value. */
export const updateTagRequest = z
  .object({
    id: z.string().min(1, 'must not be empty').describe('Identifier of the tag, the same as in the path.'),
    name: nameField.describe('Name of the tag.'),
    slug: slugField,
    description: optionalText('Plain description.'),
    longDescription: optionalText('HTML description.'),
    lang: z.string().min(1, 'must be a language code').describe('Language code.'),
  })
  .meta({ id: 'UpdateTagRequest' })

export type CreateArticleRequest = z.infer<typeof createArticleRequest>
export type UpdateCategoryRequest = z.infer<typeof updateCategoryRequest>
export type UpdateTagRequest = z.infer<typeof updateTagRequest>
