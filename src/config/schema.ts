// Loaded only when a configuration is seen for the first time: zod is too slow to start for a run with nothing to do.
import * as z from 'zod'
import { LANGUAGE_CODE } from '../util/language-code.ts'
import { parseDurationMs, parseSizeBytes } from '../util/quantities.ts'

const duration = z
  .string()
  .refine((text) => parseDurationMs(text) !== undefined, 'must be a duration such as 30s, 5m, 2h or 180d')

const days = z.string().regex(/^\d+d$/, 'must be a number of days such as 180d')

const size = z
  .string()
  .refine((text) => parseSizeBytes(text) !== undefined, 'must be a size such as 800B, 32kB or 1MB')

const language = z.string().regex(LANGUAGE_CODE, 'must be a language code such as en or pt-BR')

const url = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:/i.test(text),
    'must be an address that begins with https:// or http://',
  )

const remote = z.strictObject({ url, apiKey: z.string().min(1).optional(), allowHttp: z.string().optional() })

const maxDeletes = z.union([
  z.number().int().nonnegative(),
  z.string().regex(/^\d+(\.\d+)?%?$/, 'must be a number or a percentage such as 10%'),
])

const articleLink = z.union([
  z.string().refine((text) => text.includes('{slug}'), 'must contain {slug}'),
  z.custom<(link: unknown) => string>(
    (value) => typeof value === 'function',
    'must be a pattern or a function',
  ),
])

/** Validates kb.config.ts as written; defaults are filled in by `normaliseConfig`. */
export const configSchema = z
  .strictObject({
    project: z.string().min(1).max(100),
    content: z.string().min(1),
    include: z.array(z.string().min(1)).min(1),
    exclude: z.array(z.string().min(1)),
    target: z.union([z.literal('builtin'), remote], 'must be "builtin" or { url, apiKey? }'),
    targets: z.record(z.string().regex(/^[A-Za-z0-9_-]+$/), remote),
    defaultLanguage: language,
    defaults: z
      .strictObject({
        status: z.enum(['draft', 'published']),
        order: z.number(),
        reviewAfter: days,
        categories: z.array(z.string().min(1)),
      })
      .partial(),
    links: z.strictObject({ article: articleLink }).partial(),
    assets: z.strictObject({ inlineUnder: size }).partial(),
    markdown: z
      .strictObject({
        remarkPlugins: z.array(z.unknown()),
        allow: z
          .strictObject({
            tags: z.array(z.string()),
            attributes: z.record(z.string(), z.array(z.string())),
          })
          .partial(),
        parser: z.enum(['native', 'remark']),
      })
      .partial(),
    sync: z
      .strictObject({
        concurrency: z.number().int().min(1).max(64),
        prune: z.boolean(),
        maxDeletes,
        onConflict: z.enum(['fail', 'skip', 'overwrite']),
        taxonomy: z.enum(['check', 'update']),
        retries: z.number().int().min(0).max(20),
        timeout: duration,
        settle: duration,
      })
      .partial(),
    server: z
      .strictObject({
        host: z.string().min(1),
        port: z.number().int().min(0).max(65_535),
        db: z.string().min(1),
        languages: z.array(language).min(1),
        articleLimit: z.number().int().positive(),
        bodyLimit: size,
      })
      .partial(),
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
