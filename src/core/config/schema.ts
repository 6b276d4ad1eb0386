// Loaded only when a configuration is seen for the first time: zod is too slow to start for a run with nothing to do.
import * as z from 'zod'
import { ALLOWED_ELEMENTS } from '../model/element-mapping.ts'
import { RULES } from '../model/diagnostic-codes.ts'
import { PRESET_NAMES } from '../model/preset-name.ts'
import { THRESHOLDS } from '../model/threshold.ts'
import { isLanguageCode, LANGUAGE_CODE } from '../language-code.ts'
import type { KbConfig } from './define-config.ts'
import { parseDurationMs, parseSizeBytes } from '../quantities.ts'
import { parseUrl } from '../parse-url.ts'

const duration = z
  .string()
  .refine((text) => parseDurationMs(text) !== undefined, 'must be a duration such as 30s, 5m, 2h or 180d')
  .meta({ pattern: String.raw`^\d+(\.\d+)?(ms|s|m|h|d)$` })

const days = z.string().regex(/^\d+d$/, 'must be a number of days such as 180d')

const size = z
  .string()
  .refine((text) => parseSizeBytes(text) !== undefined, 'must be a size such as 800B, 32kB or 1MB')
  .meta({ pattern: String.raw`^\d+(\.\d+)?(B|kB|MB)$` })

const language = z
  .string()
  .refine(isLanguageCode, 'must be a language code such as en or pt-BR')
  .meta({ pattern: LANGUAGE_CODE.source })

const url = z
  .string()
  .refine(
    (text) => /^https?:/i.test(text) && parseUrl(text) !== undefined,
    'must be an address that begins with https:// or http://',
  )
  .meta({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' })

const remote = z.strictObject({
  url: url.describe('Address of the service, with or without /api/v2.'),
  apiKey: z
    .string()
    .min(1)
    .optional()
    .describe('Better given as KB_API_KEY: a key in a file is a key in git.'),
  allowHttp: z.string().optional().describe('Name of a host to which the key may travel unencrypted.'),
})

const maxDeletes = z.union([
  z.number().int().nonnegative(),
  z.string().regex(/^\d+(\.\d+)?%?$/, 'must be a number or a percentage such as 10%'),
])

const addressPattern = z.union([
  z
    .string()
    .refine((text) => text.includes('{slug}'), 'must contain {slug}')
    .meta({ pattern: String.raw`\{slug\}` }),
  z.custom<(link: unknown) => string>(
    (value) => typeof value === 'function',
    'must be a pattern or a function',
  ),
])

const assetBase = z
  .string()
  .refine(
    isAssetBase,
    'must be an address that begins with https:// or http://, or a path that begins with /, without ?, # and password',
  )
  .meta({ pattern: String.raw`^([Hh][Tt][Tt][Pp][Ss]?://[^/?#\s@]+(/|$)|/(?!/))[^?#\s]*$` })

const siteAddress = z
  .string()
  .refine(
    (text) => /^https?:/i.test(text) && isAssetBase(text),
    'must be an address that begins with https:// or http://, without ?, # and password',
  )
  .meta({ pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\s@]+(/[^?#\s]*)?$` })

function isAssetBase(text: string): boolean {
  // Whoever reads an article would read a password as well.
  return (
    /^(?:https?:\/\/[^/?#\s@]+(?:\/|$)|\/(?!\/))[^?#\s]*$/i.test(text) &&
    parseUrl(text, 'https://host') !== undefined
  )
}

const mappingFunction = z.custom<(...given: unknown[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
)

const frontmatter = z.union(
  [
    mappingFunction,
    z
      .strictObject({
        read: mappingFunction.describe('Returns the keys of kb-sync for what a file has.'),
        write: mappingFunction.describe('Returns keys with their values for fields of kb-sync.'),
      })
      .partial(),
  ],
  'must be a function, or { read, write }',
)

const elementMapping = z.union(
  [
    z.string(),
    z.strictObject({
      element: z.string().describe('The name of an element of the allow-list.'),
      attributes: z
        .record(z.string(), z.string())
        .optional()
        .describe(
          'By attribute of the element: the attribute of the component, or the parameter, that it is.',
        ),
    }),
  ],
  'must be the name of an element, or { element, attributes? }',
)

const elementMappings = z.union(
  [mappingFunction, z.record(z.string().min(1), elementMapping)],
  'must be a function, or a table of elements by name',
)

/** Names of own components and shortcodes that become no element of the allow-list. */
function elementProblems({ components, shortcodes, markdown, preset }: KbConfig) {
  const allowed = new Set([
    ...ALLOWED_ELEMENTS,
    ...(markdown?.allow?.tags ?? []).map((tag) => tag.toLowerCase()),
  ])
  return Object.entries({ components, shortcodes }).flatMap(([key, mappings]) => {
    if (mappings === undefined) return []
    const isOfTool = preset !== undefined && (preset === 'hugo') === (key === 'shortcodes')
    if (!isOfTool)
      return [
        {
          path: [key],
          message: `needs the preset ${key === 'shortcodes' ? 'hugo' : 'docusaurus or vitepress'}`,
        },
      ]
    if (typeof mappings === 'function') return []
    return Object.entries(mappings).flatMap(([name, mapping]) => {
      const element = typeof mapping === 'string' ? mapping : mapping.element
      if (allowed.has(element)) return []
      const path = [key, name, ...(typeof mapping === 'string' ? [] : ['element'])]
      return [{ path, message: 'must be an element of the allow-list or of markdown.allow.tags' }]
    })
  })
}

const ruleSeverity = z.enum(['off', 'warning', 'error'])

const rules = z
  .strictObject(
    Object.fromEntries(
      Object.entries(RULES).map(([code, { severity, summary }]) => [
        code,
        ruleSeverity.describe(`${summary} Default: ${severity}.`),
      ]),
    ),
  )
  .partial()

/** Validates kb.config.ts as written; defaults are filled in by `normaliseConfig`. */
export const configSchema = z
  .strictObject({
    project: z
      .string()
      .min(1)
      .max(100)
      .describe(
        'Tells your articles from those of another repository; a remote target needs it. Default: the name in package.json.',
      ),
    content: z.string().min(1).describe('The folder with the articles. Default: content.'),
    include: z
      .array(z.string().min(1))
      .min(1)
      .describe('Patterns of files that are articles, from the content folder on. Default: **/*.md.'),
    exclude: z.array(z.string().min(1)).describe('Patterns of files that are no articles.'),
    preset: z
      .enum(PRESET_NAMES)
      .describe('The tool whose folder of documents this is: its frontmatter and Markdown are understood.'),
    frontmatter: frontmatter.describe(
      'How frontmatter with other keys is read: a function, or { read, write } to write it, too.',
    ),
    components: elementMappings.describe(
      'Elements that components of your own become, by name, or a function; with docusaurus or vitepress.',
    ),
    shortcodes: elementMappings.describe(
      'Elements that shortcodes of your own become, by name, or a function; with hugo.',
    ),
    siteUrl: siteAddress.describe(
      'Address of the site that links and images from the root (/pricing) belong to: they are sent with it.',
    ),
    target: z
      .union([z.literal('builtin'), remote], 'must be "builtin" or { url, apiKey? }')
      .describe('Where articles go. Default: builtin, the server that comes with kb-sync.'),
    targets: z
      .record(z.string().regex(/^[A-Za-z0-9_-]+$/), remote)
      .describe('Named targets for --target NAME.'),
    defaultLanguage: language.describe('The language of articles that name none. Default: en.'),
    defaults: z
      .strictObject({
        status: z.enum(['draft', 'published']).describe('Default: draft.'),
        order: z.number().describe('Default: 0.'),
        reviewAfter: days.describe('Days until the review of an article that names no date. Default: 180d.'),
        categories: z.array(z.string().min(1)).describe('Categories of articles that name none.'),
      })
      .partial()
      .describe('What articles have that do not say it themselves.'),
    links: z
      .strictObject({
        article: addressPattern.describe(
          'The address of an article: a pattern with {slug} and {language}, or a function.',
        ),
        category: addressPattern.describe('The same for a category. Default: /categories/{slug}.'),
        tag: addressPattern.describe('The same for a tag. Default: /tags/{slug}.'),
        ignore: z
          .array(z.string().min(1))
          .describe('Addresses that kb check --external and kb report leave alone; * stands for anything.'),
      })
      .partial()
      .describe('Addresses in the articles that are sent.'),
    assets: z
      .strictObject({
        inlineUnder: size.describe(
          'The largest image that is sent inside an article. Default: 32kB, and none with baseUrl.',
        ),
        baseUrl: assetBase.describe('Where the files that kb assets copies are served.'),
        maxSize: size.describe('The largest file that gets an address there. Default: 25MB.'),
      })
      .partial()
      .describe('What becomes of images and other files.'),
    markdown: z
      .strictObject({
        remarkPlugins: z.array(z.unknown()).describe('Plugins of remark.'),
        allow: z
          .strictObject({
            tags: z.array(z.string()).describe('Elements to keep beyond the allow-list.'),
            attributes: z
              .record(z.string(), z.array(z.string()))
              .describe('Attributes to keep, by element; * stands for every element.'),
          })
          .partial()
          .describe('HTML to keep beyond the allow-list.'),
        parser: z.enum(['native', 'remark']).describe('Default: native; remark is remark-parse.'),
        highlight: z
          .boolean()
          .describe('Whether code is coloured when it is rendered, by classes. Default: false.'),
      })
      .partial()
      .describe('How Markdown is read and rendered.'),
    rules: rules.describe('Severity of each rule of kb check.'),
    sync: z
      .strictObject({
        concurrency: z
          .number()
          .int()
          .min(1)
          .max(64)
          .describe('Requests at one time. Default: 8, and 32 on builtin.'),
        prune: z
          .boolean()
          .describe('Whether every full run deletes articles of deleted files. Default: false.'),
        maxDeletes: maxDeletes.describe(
          'Nothing is deleted if more would go: a number, or a percentage of our articles. Default: 10%.',
        ),
        onConflict: z
          .enum(['fail', 'skip', 'overwrite'])
          .describe('What becomes of articles that were edited on the target. Default: fail.'),
        taxonomy: z
          .enum(['check', 'update'])
          .describe(
            'Whether categories and tags are updated or only compared. Default: update on builtin, check elsewhere.',
          ),
        retries: z
          .number()
          .int()
          .min(0)
          .max(20)
          .describe('How often a request that changes nothing is repeated. Default: 5.'),
        timeout: duration.describe('How long one request may take. Default: 30s.'),
        settle: duration.describe(
          'How long the lists of the target may lag behind its writes. Default: 10s.',
        ),
      })
      .partial()
      .describe('How a sync goes about it.'),
    report: z
      .strictObject({
        dueWithin: days.describe('Days after today in which a review counts as due. Default: 30d.'),
        failOn: z
          .array(z.enum(THRESHOLDS))
          .describe('What makes kb report end with exit code 1. Default: nothing.'),
        maxOverdue: z
          .number()
          .int()
          .nonnegative()
          .describe('How many overdue articles are allowed, whatever failOn says.'),
        baseline: z
          .string()
          .min(1)
          .describe('A file with findings that are accepted; kb report --write-baseline makes it.'),
      })
      .partial()
      .describe('What kb report finds, and what it fails on.'),
    pages: z
      .strictObject({
        name: z
          .string()
          .trim()
          .min(1)
          .max(100)
          .describe('The name of the knowledge base on its pages. Default: the project.'),
      })
      .partial()
      .describe('The pages of kb serve --pages and of kb watch.'),
    server: z
      .strictObject({
        host: z.string().min(1).describe('The address that kb serve listens on. Default: 127.0.0.1.'),
        port: z.number().int().min(0).max(65_535).describe('Its port; 0 picks a free one. Default: 4400.'),
        db: z.string().min(1).describe('The database file of the built-in server. Default: .kb/kb.db.'),
        languages: z
          .array(language)
          .min(1)
          .describe('Languages of the built-in server, the default one first.'),
        articleLimit: z
          .number()
          .int()
          .positive()
          .describe('How many articles the built-in server takes. Default: 1000000.'),
        bodyLimit: size.describe('The largest body of a request that kb serve reads. Default: 32MB.'),
      })
      .partial()
      .describe('The built-in server.'),
  })
  .partial()
  .refine(
    // The language that articles are in without saying so must be one language on both sides.
    ({ server, defaultLanguage = 'en' }) => (server?.languages?.[0] ?? defaultLanguage) === defaultLanguage,
    {
      path: ['server', 'languages'],
      message: 'must begin with the default language (defaultLanguage, or en)',
    },
  )
  .superRefine((config, context) => {
    for (const { path, message } of elementProblems(config as KbConfig))
      context.addIssue({ code: 'custom', path, message })
  })
  .meta({ title: 'kb.config.ts of kb-sync', description: 'The configuration; everything is optional.' })
