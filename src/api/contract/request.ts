// Request bodies, with the members of extensions. Unknown members are ignored.
import { z } from 'zod'
import { STORED_FILE_NAME } from '../../core/stored-file-names.ts'
import {
  excerptField,
  nameField,
  slugField,
  statusField,
  textField,
  pictureUrlField,
  webUrlField,
  writtenDateField,
} from './fields.ts'

const reference = (of: string) =>
  z.object({ value: z.string().min(1, 'must not be empty').describe(`Identifier of a ${of}.`) })

/** Maximum number of categories or tags of one article, because each is looked up. */
const MOST_REFERENCES = 1000

const references = (of: string) =>
  z.array(reference(of)).max(MOST_REFERENCES, `must have at most ${MOST_REFERENCES} entries`)

const optionalText = (description: string) => textField.optional().describe(description)

const picture = (what: string) =>
  pictureUrlField.optional().describe(`${what}: http, https, relative or data:image/; "" for none.`)

const EXAMPLE_ARTICLE = {
  title: 'Contact us',
  slug: 'contact-us',
  categories: [{ value: 'identifier of a category' }],
  tags: [],
  excerpt: 'How to reach us.',
  ordering: 1,
  status: 'published',
  content: '<p>Write to <a href="https://example.com/contact">us</a>.</p>',
  articleReviewDate: '2027-01-31',
}

/** Body of "Create an article" in the specification. */
export const createArticleRequest = z
  .object({
    title: nameField.describe('Title of the article.'),
    slug: slugField,
    categories: references('category').describe('Categories of the article.'),
    tags: references('tag').optional().describe('Tags of the article.'),
    excerpt: excerptField,
    ordering: z.number().describe('Order priority.'),
    status: statusField,
    content: textField.describe('HTML.'),
    hideFromSearch: z.boolean().optional().describe('True hides the article from search.'),
    seoBannerUrl: webUrlField
      .optional()
      .describe('URL of the SEO banner image: http, https or relative; "" for none.'),
    articleReviewDate: writtenDateField.optional(),
  })
  .meta({ id: 'CreateArticleRequest', examples: [EXAMPLE_ARTICLE] })

/**
 * The members that the extension `languages` adds to the body of an article, for which the specification has no
 * language. Without them, a create makes an original in the default language, and an update keeps the values.
 */
const articleLanguage = z
  .object({
    lang: z
      .string()
      .optional()
      .describe('Extension `languages`: language code. Default: the default language.'),
    languageParent: optionalText(
      'Extension `languages`: identifier of the original when this is a translation; "" for none.',
    ),
  })
  .meta({ id: 'ArticleLanguage' })

export const MOST_ALIASES = 100

/** The member that the extension `redirects` adds to the body of an article. */
const articleAliases = z
  .object({
    aliases: z
      .array(slugField)
      .max(MOST_ALIASES, `must have at most ${MOST_ALIASES} entries`)
      .optional()
      .describe(
        'Extension `redirects`: other slugs that lead to the article, in its language. They replace its former ones.',
      ),
  })
  .meta({ id: 'ArticleAliases' })

/** Body of "Create an article" with the members of the extensions. Also used for an update in place. */
export const articleRequest = z
  .intersection(createArticleRequest, z.intersection(articleLanguage, articleAliases))
  .meta({ id: 'ArticleRequest', examples: [EXAMPLE_ARTICLE] })

/** The text of a key, as in a string of RFC 8941, section 3.3.3. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters or spaces')

/** Maximum number of articles in one request, which share a commit. */
export const BATCH_LIMIT = 256

/** An article in a batch. Each is checked separately, so that an invalid one does not fail the others. */
export const batchArticle = z
  .intersection(
    articleRequest,
    z
      .object({
        id: z
          .string()
          .min(1, 'must not be empty')
          .optional()
          .describe('Identifier of the article to update; omitted for a new one.'),
        ifMatch: z.string().optional().describe('Extension `etag`: for an update, as the header If-Match.'),
        idempotencyKey: idempotencyKey
          .optional()
          .describe('Extension `idempotency`: for a create, as the header Idempotency-Key, without quotes.'),
      })
      .refine(({ id, ifMatch }) => id !== undefined || ifMatch === undefined, {
        path: ['ifMatch'],
        message: 'must be omitted without an id',
      })
      .refine(({ id, idempotencyKey: key }) => id === undefined || key === undefined, {
        path: ['idempotencyKey'],
        message: 'must be omitted with an id',
      }),
  )
  .meta({ id: 'BatchArticle', examples: [EXAMPLE_ARTICLE] })

/** Body of the extension `batch`, with articles of any form. */
export const anyBatch = z.object({
  articles: z
    .array(z.unknown())
    .min(1, 'must have at least one entry')
    .max(BATCH_LIMIT, `must have at most ${BATCH_LIMIT} entries`),
})

/** Body of the extension `batch`: articles to create and to update, in this order. */
export const batchRequest = z
  .object({ articles: z.array(batchArticle).min(1).max(BATCH_LIMIT) })
  .meta({ id: 'BatchRequest', examples: [{ articles: [EXAMPLE_ARTICLE] }] })

/** Body of "Update a category" in the specification. Omitted optional fields are not changed. */
export const updateCategoryRequest = z
  .object({
    name: nameField.describe('Name of the category.'),
    slug: slugField,
    priority: z.number().describe('Ordering priority.'),
    categoryParent: optionalText('Identifier of the parent category; "" for none.'),
    description: optionalText('Plain description.'),
    longDescription: optionalText('HTML description.'),
    thumbnailUrl: picture('URL of a thumbnail image'),
    iconUrl: picture('URL of an icon image'),
    lang: z.string().describe('Language code.'),
  })
  .meta({
    id: 'UpdateCategoryRequest',
    examples: [{ name: 'Guides', slug: 'guides', priority: 5, lang: 'en' }],
  })

/** Body of "Update a tag" in the specification. Omitted optional fields are not changed. */
export const updateTagRequest = z
  .object({
    id: z.string().min(1, 'must not be empty').describe('Identifier of the tag, the same as in the path.'),
    name: nameField.describe('Name of the tag.'),
    slug: slugField,
    description: optionalText('Plain description.'),
    longDescription: optionalText('HTML description.'),
    lang: z.string().describe('Language code.'),
  })
  .meta({
    id: 'UpdateTagRequest',
    examples: [{ id: 'identifier of the tag', name: 'Security', slug: 'security', lang: 'en' }],
  })

/** Maximum number of names in one request for missing files. */
export const MOST_FILE_NAMES = 1000

/** Body of the extension `files`: the files that a client may upload. */
export const missingFilesRequest = z
  .object({
    files: z
      .array(z.string().regex(STORED_FILE_NAME, 'must be the SHA-256 of a file, a dot and its type'))
      .max(MOST_FILE_NAMES, `must have at most ${MOST_FILE_NAMES} entries`)
      .describe('Names of files: the SHA-256 of the bytes, a dot and the type, such as png.'),
  })
  .meta({ id: 'MissingFilesRequest', examples: [{ files: [`${'0a'.repeat(32)}.png`] }] })

/** Maximum number of articles in one request for their source files. */
export const MOST_SOURCES = 1000

/** Body of the extension `sources`: the files of articles, for edit links. */
export const sourcesRequest = z
  .object({
    sources: z
      .array(
        z.object({
          id: textField.min(1, 'must not be empty').describe('Identifier of an article.'),
          path: textField
            .min(1, 'must not be empty')
            .max(4096, 'must have at most 4096 characters')
            .describe('Path of its file in the folder of the content.'),
        }),
      )
      .max(MOST_SOURCES, `must have at most ${MOST_SOURCES} entries`),
  })
  .meta({
    id: 'SourcesRequest',
    examples: [{ sources: [{ id: 'identifier of an article', path: 'guides/start.md' }] }],
  })

/** The extensions' members are optional: a body without them conforms to the specification. */
export type ArticleRequest = z.infer<typeof articleRequest>
export type BatchArticle = z.infer<typeof batchArticle>
export type UpdateCategoryRequest = z.infer<typeof updateCategoryRequest>
export type MissingFilesRequest = z.infer<typeof missingFilesRequest>
export type SourcesRequest = z.infer<typeof sourcesRequest>
export type UpdateTagRequest = z.infer<typeof updateTagRequest>
