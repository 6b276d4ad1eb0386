// The configuration schema: types, rules, and descriptions for the JSON Schema. Loaded only for a configuration that
// has not been validated before: zod starts too slowly for a run with nothing to do.
import type { Pluggable } from 'unified'
import * as z from 'zod'
import { isLanguageCode, LANGUAGE_CODE } from '../language-code.ts'
import { type RuleCode, RULES } from '../model/diagnostic-codes.ts'
import { ALLOWED_ELEMENTS, type MapElement } from '../model/element-mapping.ts'
import { dialectOf, PRESET_NAMES } from '../dialects/dialects.ts'
import type { ReadFrontmatter, WriteFrontmatter } from '../dialects/frontmatter-mapping.ts'
import { THRESHOLDS } from '../model/threshold.ts'
import { EMBED_HOSTS } from '../embed-hosts.ts'
import { MESSAGE_KINDS, type PageMessages } from '../page-messages.ts'
import { parseUrl } from '../parse-url.ts'
import { parseDurationMs, parseSizeBytes } from '../quantities.ts'
import { CONFIG_DEFAULTS as DEFAULTS, SHORTEST_PASSWORD } from './defaults.ts'
import { parseMaxDeletes } from './max-deletes.ts'

/** The data for the URL of an article, a category or a tag. */
export interface ArticleLink {
  readonly slug: string
  /** Language code of the link target. */
  readonly language: string
}

/** Adds a description to `schema` that ends with its default. */
function withDefault<Schema extends z.ZodType>(schema: Schema, value: unknown, description: string): Schema {
  return schema.meta({ description: `${description} Default: ${String(value)}.`.trimStart(), default: value })
}

/** A group of optional settings. Descriptions of lists state their defaults themselves. */
function part<Shape extends z.ZodRawShape>(
  description: string,
  defaults: Readonly<Record<string, unknown>>,
  shape: Shape,
) {
  const members = Object.entries(shape).map(([key, schema]) => {
    const hasDefault = key in defaults && typeof defaults[key] !== 'object'
    const member = schema as z.ZodType
    return [key, hasDefault ? withDefault(member, defaults[key], member.description ?? '') : member]
  })
  return z
    .strictObject(Object.fromEntries(members) as Shape)
    .partial()
    .describe(description)
}

const filled = z.string().min(1)
const names = z.array(filled).readonly()

/** Returns a schema for a text with a pattern. `rule` is also the message for other types. */
function textOf(rule: string, fits: (text: string) => boolean, pattern: string) {
  const explain = ({ input }: { readonly input?: unknown }) => (input === undefined ? 'is required' : rule)
  return z.string({ error: explain }).refine(fits, rule).meta({ pattern })
}

const duration = textOf(
  'must be a duration such as 30s, 5m, 2h or 180d',
  (text) => parseDurationMs(text) !== undefined,
  String.raw`^\d+(\.\d+)?(ms|s|m|h|d)$`,
)

const days = textOf(
  'must be a number of days such as 180d',
  (text) => /^\d+d$/.test(text),
  String.raw`^\d+d$`,
)

const size = textOf(
  'must be a size such as 800B, 32kB or 1MB',
  (text) => parseSizeBytes(text) !== undefined,
  String.raw`^\d+(\.\d+)?(B|kB|MB)$`,
)

const language = textOf('must be a language code such as en or pt-BR', isLanguageCode, LANGUAGE_CODE.source)

const url = textOf(
  'must be a URL that starts with https:// or http://',
  (text) => /^https?:/i.test(text) && parseUrl(text) !== undefined,
  '^[Hh][Tt][Tt][Pp][Ss]?://',
)

/** @param most Infinity if messages should not name a limit */
export function wholeNumber(least: number, most: number) {
  const rule = `must be a whole number ${Number.isFinite(most) ? `from ${least} to ${most}` : `of ${least} or more`}`
  const number = z.int(rule).min(least, rule)
  return Number.isFinite(most) ? number.max(most, rule) : number
}

export const concurrency = wholeNumber(1, 64)
export const port = wholeNumber(0, 65_535)
export const onConflict = z.enum(['fail', 'skip', 'overwrite'])
const onError = z.enum(['stop', 'hold'])

const MAX_DELETES_RULE = 'must be a number or a percentage such as 10%'

export const maxDeletes = z.union(
  [
    z.int(MAX_DELETES_RULE).nonnegative(MAX_DELETES_RULE),
    z
      .string()
      .refine((text) => parseMaxDeletes(text) !== undefined, MAX_DELETES_RULE)
      .meta({ pattern: String.raw`^\d+$|^\d+(\.\d+)?%$` }),
  ],
  MAX_DELETES_RULE,
)

const parser = z.enum(['native', 'remark'])
const taxonomyMode = z.enum(['check', 'update'])

const remote = z.strictObject({
  url: url.describe('URL of the service, with or without /api/v2.'),
  apiKey: filled.optional().describe('Prefer KB_API_KEY: a key in this file ends up in git.'),
  allowHttp: z.string().optional().describe('Name of a host to which the key may be sent unencrypted.'),
})

const ADDRESS_PATTERN_RULE = 'must be a pattern with {slug}, or a function'

const addressPattern = z.union(
  [
    textOf(ADDRESS_PATTERN_RULE, (text) => text.includes('{slug}'), String.raw`\{slug\}`),
    ownFunction<(link: ArticleLink) => string>(),
  ],
  ADDRESS_PATTERN_RULE,
)

const assetBase = textOf(
  'must be a URL that starts with https:// or http://, or a path that starts with /, without ?, # or password',
  isAssetBase,
  String.raw`^([Hh][Tt][Tt][Pp][Ss]?://[^/?#\s@]+(/|$)|/(?!/))[^?#\s]*$`,
)

const siteAddress = textOf(
  'must be a URL that starts with https:// or http://, without ?, # or password',
  (text) => /^https?:/i.test(text) && isAssetBase(text),
  String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\s@]+(/[^?#\s]*)?$`,
)

// The pages route requests by this path and put it into links and a cookie, so it has no special characters.
const PAGES_URL = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\s@\\]+(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)*/?$`

const pagesUrl = textOf(
  'must be a URL that starts with https:// or http://, and has at most a path of letters, digits, -, ., _ and ~ between single slashes',
  (text) => new RegExp(PAGES_URL).test(text) && parseUrl(text) !== undefined,
  PAGES_URL,
)

function isAssetBase(text: string): boolean {
  // The URL is published, and a password in it would be, too.
  return (
    /^(?:https?:\/\/[^/?#\s@]+(?:\/|$)|\/(?!\/))[^?#\s]*$/i.test(text) &&
    parseUrl(text, 'https://host') !== undefined
  )
}

const colour = textOf(
  'must be a colour such as #0b5cad',
  (text) => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
  '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
)

const brandFile = textOf(
  'must be a path from the project folder, or a URL that starts with https:// or http://',
  (text) => /^https?:\/\/[^/]/i.test(text) || /^(?![a-z][a-z\d+.-]*:|\/\/)[^?#\0]+$/i.test(text),
  String.raw`^([Hh][Tt][Tt][Pp][Ss]?://[^/]|(?![A-Za-z][A-Za-z0-9+.\-]*:|//)[^?#]+$)`,
)

/** Returns a schema for one text for all languages of the pages, or a text for each language. */
function inLanguages<Schema extends z.ZodType<string>>(rule: string, schema: Schema) {
  return z.union([schema, z.record(language, schema)], rule)
}

const wording = inLanguages(
  'must be a text of at most 500 characters, or one for each language',
  z.string().trim().min(1).max(500),
)

const BRAND_ADDRESS_RULE =
  'must be a path of the pages that starts with /, or a URL that starts with https://, http://, mailto: or tel:'

const brandAddress = inLanguages(
  BRAND_ADDRESS_RULE,
  textOf(
    BRAND_ADDRESS_RULE,
    (text) => /^(?:https?:\/\/[^/]|mailto:.|tel:.|\/(?!\/))\S*$/i.test(text),
    String.raw`^([Hh][Tt][Tt][Pp][Ss]?://[^/]|[Mm][Aa][Ii][Ll][Tt][Oo]:.|[Tt][Ee][Ll]:.|/(?!/))\S*$`,
  ),
)

const EDIT_URL = String.raw`^[Hh][Tt][Tt][Pp][Ss]://[^/?#\s@\\]+/\S*\{path\}\S*$`

const editUrl = textOf(
  'must be a URL that starts with https:// and contains {path}',
  (text) => new RegExp(EDIT_URL).test(text) && parseUrl(text) !== undefined,
  EDIT_URL,
)

const brandLinks = z
  .array(
    z.strictObject({
      text: wording.describe('The text of the link, or one for each language.'),
      url: brandAddress.describe(
        'A URL, or a path of the pages that starts with /; or one for each language.',
      ),
    }),
  )
  .readonly()

const pageMessages = z.strictObject(
  Object.fromEntries(
    MESSAGE_KINDS.map(({ name, english }) => [
      name,
      english === undefined
        ? ownFunction().describe('A function that returns the text.')
        : z.string().trim().min(1).describe(`In English: ${english}`),
    ]),
  ) as unknown as { [Name in keyof PageMessages]: z.ZodType<PageMessages[Name], PageMessages[Name]> },
)

const brand = {
  logo: z
    .union(
      [
        brandFile,
        z.strictObject({
          light: brandFile.describe('The image on light pages.'),
          dark: brandFile.optional().describe('The image on dark pages. Default: the same.'),
          replacesName: z
            .boolean()
            .optional()
            .describe(
              'Whether the logo contains the name, which is then not written beside it. Default: false.',
            ),
        }),
      ],
      'must be a path, a URL, or { light, dark?, replacesName? }',
    )
    .describe('The logo at the top of each page: the path of an image from the project folder, or a URL.'),
  favicon: brandFile.describe('The icon of the browser tab: the path of an image, or a URL.'),
  colours: part(
    'The colours of the pages.',
    {},
    {
      accent: colour.describe('The colour of links, buttons and what is selected, such as #0b5cad.'),
      dark: part(
        'The colours of dark pages. Default: derived from the others.',
        {},
        { accent: colour.describe('The accent colour of dark pages.') },
      ),
    },
  ),
  css: brandFile.describe('A stylesheet that is loaded after the own ones: a path, or a URL.'),
  embeds: z
    .array(z.enum(EMBED_HOSTS))
    .readonly()
    .describe('Hosts of videos that play on the pages; links to all others stay links. Default: none.'),
  editUrl: editUrl.describe(
    'The URL that an article is edited at, for a link on its page: {path} is its path in the content folder.',
  ),
  header: brandLinks.describe('Links at the top of each page, such as to your site.'),
  footer: brandLinks.describe('Links at the end of each page, such as to your terms.'),
  contact: brandAddress.describe('A URL or a mailto: address that readers are sent to if they need help.'),
  messages: z
    .record(language, pageMessages)
    .describe('The texts of the pages themselves in other languages than English, German and French.'),
  home: part(
    'The home page.',
    {},
    {
      title: wording.describe('The title of the home page. Default: the name.'),
      text: wording.describe('The text below the title.'),
      featured: z
        .array(filled)
        .max(20)
        .readonly()
        .describe('Slugs of articles, in the default language, that the home page lists first.'),
    },
  ),
}

/** The pages of one knowledge base. */
const pages = {
  ...brand,
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe('The name of the knowledge base on its pages. Default: the project, or the name of the site.'),
  url: pagesUrl.describe(
    'The public URL of the pages, for search engines, feeds and reports. Without it, there is no sitemap and no feed.',
  ),
  password: z
    .string()
    .trim()
    .min(SHORTEST_PASSWORD, `must have at least ${SHORTEST_PASSWORD} characters`)
    .describe(
      'A password that all readers share. Prefer KB_PAGES_PASSWORD: a password in this file ends up in git.',
    ),
  signIn: withDefault(
    z.enum(['hidden', 'shown']),
    DEFAULTS.pages.signIn,
    'Whether the pages show readers a link to sign in with an API key.',
  ),
}

function ownFunction<Call>() {
  return z.custom<Call>((value) => typeof value === 'function', 'must be a function')
}

const frontmatter = z.union(
  [
    ownFunction<ReadFrontmatter>(),
    z
      .strictObject({
        read: ownFunction<ReadFrontmatter>().describe('Returns the keys of kb-sync for the keys of a file.'),
        write: ownFunction<WriteFrontmatter>().describe(
          'Returns the keys of a file for the fields of kb-sync.',
        ),
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
          'For each attribute of the element: the attribute of the component, or the parameter, that contains its value.',
        ),
    }),
  ],
  'must be the name of an element, or { element, attributes? }',
)

const elementMappings = z.union(
  [ownFunction<MapElement>(), z.record(filled, elementMapping)],
  'must be a function, or a table of elements by name',
)

function presetsWith(key: 'components' | 'shortcodes'): string {
  return PRESET_NAMES.filter((preset) => dialectOf(preset).text[key] !== undefined).join(' or ')
}

/** Reports components and shortcodes that map to an element that is not allowed. */
function elementProblems({ components, shortcodes, markdown, preset }: KbConfig) {
  const allowed = new Set([
    ...ALLOWED_ELEMENTS,
    ...(markdown?.allow?.tags ?? []).map((tag) => tag.toLowerCase()),
  ])
  const all = [
    ['components', components],
    ['shortcodes', shortcodes],
  ] as const
  return all.flatMap(([key, mappings]) => {
    if (mappings === undefined) return []
    if (preset === undefined || dialectOf(preset).text[key] === undefined)
      return [{ path: [key], message: `needs the preset ${presetsWith(key)}` }]
    if (typeof mappings === 'function') return []
    return Object.entries(mappings).flatMap(([name, mapping]) => {
      const element = typeof mapping === 'string' ? mapping : mapping.element
      if (allowed.has(element)) return []
      const path = [key, name, ...(typeof mapping === 'string' ? [] : ['element'])]
      return [{ path, message: 'must be an element of the allow-list or of markdown.allow.tags' }]
    })
  })
}

const brokenLinks = z.enum(['keep', 'text'])

const ruleSeverity = z.enum(['off', 'warning', 'error'])

const rules = z
  .strictObject(
    Object.fromEntries(
      Object.entries(RULES).map(([code, { severity, summary }]) => [
        code,
        withDefault(ruleSeverity, severity, summary),
      ]),
    ) as Record<RuleCode, typeof ruleSeverity>,
  )
  .partial()

const targetName = textOf(
  'must consist of letters, digits, - and _',
  (name) => /^[A-Za-z0-9_-]+$/.test(name),
  '^[A-Za-z0-9_-]+$',
)

/** The shape of kb.config.ts as written; `normaliseConfig` fills in the defaults. */
const shape = z
  .strictObject({
    project: filled
      .max(100)
      .describe(
        'Identifies your articles on the target; required for a remote target. Default: the name in package.json.',
      ),
    content: withDefault(filled, DEFAULTS.content, 'The folder with the articles.'),
    include: withDefault(
      z.array(filled).min(1).readonly(),
      DEFAULTS.include,
      'Patterns of files that are articles, relative to the content folder.',
    ),
    exclude: names.describe('Patterns of files that are not articles.'),
    preset: z
      .enum(PRESET_NAMES)
      .describe(
        'The tool whose documents these are, or folder for none: kb-sync reads its frontmatter and its Markdown.',
      ),
    frontmatter: frontmatter.describe(
      'Maps frontmatter with other keys: a function, or { read, write } to write it as well.',
    ),
    components: elementMappings.describe(
      `Maps your own components to elements: a table by name, or a function; with ${presetsWith('components')}.`,
    ),
    shortcodes: elementMappings.describe(
      `Maps your own shortcodes to elements: a table by name, or a function; with ${presetsWith('shortcodes')}.`,
    ),
    siteUrl: siteAddress.describe(
      'URL of the site that root-relative links and images (/pricing) belong to. They are sent as absolute URLs.',
    ),
    target: withDefault(
      z.union([z.literal('builtin'), remote], 'must be "builtin" or { url, apiKey? }'),
      DEFAULTS.target,
      'The target of the articles; builtin is the server included in kb-sync.',
    ),
    targets: z.record(targetName, remote).describe('Named targets, for --target NAME.'),
    defaultLanguage: withDefault(language, DEFAULTS.defaultLanguage, 'The language of articles without one.'),
    defaults: part('Values for articles that do not set them.', DEFAULTS.defaults, {
      status: z.enum(['draft', 'published']),
      order: z.number(),
      reviewAfter: days.describe('Time until the review of an article without a review date.'),
      reviewSpread: days.describe(
        'A run that creates more than 10 articles spreads the reviews of those without a review date over this time.',
      ),
      categories: z
        .union([filled, names], 'must be a category, or a list such as ["Guides"]')
        .describe('Categories of articles without any, or the only one.'),
    }),
    links: part('URLs in the articles that are sent.', DEFAULTS.links, {
      article: addressPattern.describe(
        'The URL of an article: a pattern with {slug} and {language}, or a function.',
      ),
      category: addressPattern.describe('The same for a category.'),
      tag: addressPattern.describe('The same for a tag.'),
      broken: brokenLinks.describe(
        'What is sent for a broken link that is only a warning: the link as it is written, or its text.',
      ),
      ignore: names.describe('URLs that kb check --external and kb report ignore; * matches anything.'),
    }),
    assets: part('How images and other files are published.', DEFAULTS.assets, {
      inlineUnder: size.describe(
        'The maximum size of an image that is sent inside an article. Default: 32kB; with baseUrl, 0.',
      ),
      baseUrl: assetBase.describe('The URL at which the files that kb assets copies are served.'),
      maxSize: size.describe('The maximum size of a file that is published there, or uploaded.'),
    }),
    markdown: part('How Markdown is read and rendered.', DEFAULTS.markdown, {
      remarkPlugins: z.array(z.custom<Pluggable>()).describe('Plugins of remark.'),
      allow: part(
        'HTML to allow in addition to the allow-list.',
        {},
        {
          tags: z.array(z.string()).readonly().describe('Elements to allow in addition to the allow-list.'),
          attributes: z
            .record(z.string(), z.array(z.string()).readonly())
            .describe('Attributes to allow, by element; * stands for every element.'),
        },
      ),
      parser: parser.describe('The Markdown parser; remark is remark-parse.'),
      highlight: z.boolean().describe('Whether code blocks get classes for syntax highlighting.'),
    }),
    rules: rules.describe('Severity of each rule of kb check.'),
    overrides: z
      .array(
        z.strictObject({
          files: z.array(filled).min(1).readonly().describe('Patterns of files, from the content folder on.'),
          rules: rules.describe('Severity of rules in these files.'),
        }),
      )
      .readonly()
      .describe('Severities for some of the files; the last entry that matches a file wins.'),
    sync: part('How a sync works.', DEFAULTS.sync, {
      concurrency: concurrency.describe('Concurrent requests. Default: 8; for builtin, 32.'),
      prune: z.boolean().describe('Whether every full run deletes articles whose file was deleted.'),
      maxDeletes: maxDeletes.describe(
        'The maximum number of deletions in a run, or a percentage of the managed articles. If there are more, nothing is deleted.',
      ),
      onConflict: onConflict.describe('What to do with articles that were edited on the target.'),
      onError: onError.describe(
        'Whether an error in an article stops the sync, or holds back only that article.',
      ),
      taxonomy: taxonomyMode.describe(
        'Whether categories and tags are updated or only compared. Default: update for builtin, otherwise check.',
      ),
      retries: wholeNumber(0, 20).describe('How often a failed request that changes nothing is repeated.'),
      timeout: duration.describe('The timeout of a request.'),
      settle: duration.describe('The maximum delay until the target lists what was written.'),
    }),
    report: part('What kb report lists, and when it fails.', DEFAULTS.report, {
      dueWithin: days.describe('Reviews within this time count as due.'),
      failOn: z
        .array(z.enum(THRESHOLDS))
        .readonly()
        .describe('The findings for which kb report ends with exit code 1. Default: none.'),
      maxOverdue: wholeNumber(0, Infinity).describe(
        'The number of overdue articles above which kb report fails, independent of failOn.',
      ),
      baseline: filled.describe('A file with accepted findings, created by kb report --write-baseline.'),
    }),
    pages: z
      .strictObject({
        ...pages,
        sites: z
          .record(filled, z.strictObject(pages).partial().required({ url: true }))
          .describe(
            'The pages of other knowledge bases of the server, by the names in kb admin sites. Each has a URL of its own, by which the server recognises its requests.',
          ),
      })
      .partial()
      .describe('The pages of kb serve --pages and of kb watch.'),
    server: part('The built-in server.', DEFAULTS.server, {
      host: filled.describe('The host that kb serve listens on.'),
      port: port.describe('The port; 0 selects a free one.'),
      db: filled.describe('The database of the built-in server: a SQLite file, or a postgres:// URL.'),
      languages: z
        .array(language)
        .min(1)
        .readonly()
        .describe('Languages of the built-in server, the default one first.'),
      articleLimit: wholeNumber(1, Infinity).describe(
        'The maximum number of articles on the built-in server.',
      ),
      bodyLimit: size.describe('The maximum size of a request body.'),
      files: part(
        'The images and other files of articles that the built-in server stores.',
        DEFAULTS.server.files,
        {
          maxSize: size.describe('The maximum size of a stored file.'),
          maxTotal: size.describe('The maximum size of all stored files of a knowledge base.'),
          grace: duration.describe('How long a stored file is kept that nothing uses.'),
        },
      ),
    }),
  })
  .partial()

/** The URL of a request determines the site, so each site needs its own URL. */
function siteProblems({ pages: { sites = {}, ...own } = {} }: KbConfig) {
  const owners = new Map(own.url === undefined ? [] : [[pagesAddress(own.url), 'pages.url']])
  return Object.entries(sites).flatMap(([name, site]) => {
    const owner = owners.get(pagesAddress(site.url))
    owners.set(pagesAddress(site.url), `pages.sites.${name}.url`)
    return owner === undefined
      ? []
      : [{ path: ['pages', 'sites', name, 'url'], message: `must differ from ${owner}` }]
  })
}

/** Returns host and path. The protocol is that of a proxy, so it is ignored. */
function pagesAddress(address: string): string {
  const { host, pathname } = parseUrl(address) ?? { host: address, pathname: '' }
  return `${host}${pathname.replace(/\/+$/, '')}`
}

/** All settings are optional; the guide's page "Configuration" lists the defaults. */
export type KbConfig = z.input<typeof shape>
export type RemoteTarget = z.input<typeof remote>
export type OnConflict = z.infer<typeof onConflict>
export type OnError = z.infer<typeof onError>
export type TaxonomyMode = z.infer<typeof taxonomyMode>
export type BrokenLinks = z.infer<typeof brokenLinks>
export type ParserName = z.infer<typeof parser>

export const configSchema = shape
  .refine(
    // Articles without a language must have the same language in the project and on the server.
    ({ server, defaultLanguage = 'en' }) => (server?.languages?.[0] ?? defaultLanguage) === defaultLanguage,
    {
      path: ['server', 'languages'],
      message: 'must begin with the default language (defaultLanguage, or en)',
    },
  )
  .superRefine((config, context) => {
    for (const { path, message } of [...elementProblems(config), ...siteProblems(config)])
      context.addIssue({ code: 'custom', path, message })
  })
  .meta({ title: 'kb.config.ts of kb-sync', description: 'The configuration; everything is optional.' })
