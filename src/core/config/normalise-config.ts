import { basename, join, resolve } from 'node:path'
import { PRESET_DEFAULTS } from '../model/preset-defaults.ts'
import type { ToolSite } from '../model/tool-site.ts'
import type { SiteFile } from '../model/site-file.ts'
import { digestParts } from '../digest.ts'
import { parseDurationMs, parseSizeBytes } from '../quantities.ts'
import type { ArticleLink, KbConfig, RemoteTarget } from './define-config.ts'
import { describeConfig } from './describe-config.ts'
import { parseMaxDeletes } from './max-deletes.ts'
import type { SiteFiles } from './read-site-files.ts'
import { type RemoteTargetSettings, type Settings, UNNAMED_PROJECT } from './settings.ts'

const DEFAULT_INCLUDE = '**/*.md'

/** What the configuration is resolved against. */
export interface ConfigContext {
  readonly root: string
  readonly configFile: string | undefined
  /** The name in the neighbouring package.json. */
  readonly packageName: string | undefined
  readonly programVersion: string
  /** Digest of the configuration file: what its functions use beside their arguments may stand there. */
  readonly configDigest?: string | undefined
  /** With a preset: what lies around the content. */
  readonly toolSite?: ToolSite | undefined
  readonly site?: Pick<SiteFiles, 'files' | 'sections'> | undefined
}

/** Fills in the defaults. Pure; `config` has passed `configSchema`. */
export function normaliseConfig(config: KbConfig, context: ConfigContext): Settings {
  const { root, site: { files: siteFiles, sections } = { files: [], sections: [] } } = context
  const siteText = [...siteFiles, ...sections].flatMap(({ name, text }) => [name, text])
  const defaultLanguage = config.defaultLanguage ?? 'en'
  const preset = config.preset === undefined ? undefined : PRESET_DEFAULTS[config.preset]
  const contentRoot = contentRootOf(config, root)
  const frontmatter = mappingSettings(config, basename(contentRoot), sections)
  const { components, shortcodes } = config
  const elements =
    components === undefined && shortcodes === undefined ? undefined : { components, shortcodes }
  const hasOwnFunctions = frontmatter?.read !== undefined || [components, shortcodes].some(isFunction)
  return {
    root,
    configFile: context.configFile,
    settingsDigest: digestParts([
      context.programVersion,
      describeConfig(config),
      context.packageName ?? '',
      ...(context.toolSite === undefined ? [] : [describeConfig(context.toolSite)]),
      ...siteText,
    ]),
    hasFunctions:
      [config.links?.article, config.links?.category, config.links?.tag].some(isFunction) ||
      (config.markdown?.remarkPlugins ?? []).length > 0 ||
      hasOwnFunctions,
    renderDigest: digestParts([
      context.programVersion,
      describeConfig(config.markdown ?? {}),
      // Nothing is added where there is no mapping: what was rendered without one stays good.
      ...(frontmatter === undefined ? [] : [describeConfig(frontmatter)]),
      ...(elements === undefined ? [] : [describeConfig(elements)]),
      ...(hasOwnFunctions ? [context.configDigest ?? ''] : []),
      ...siteText,
    ]),
    preset: config.preset,
    toolSite: context.toolSite,
    siteUrl: config.siteUrl?.replace(/\/+$/, ''),
    project: config.project ?? context.packageName ?? UNNAMED_PROJECT,
    contentRoot,
    include: config.include ?? preset?.include ?? [DEFAULT_INCLUDE],
    // What the tool does not publish is sent nowhere either.
    exclude: [...(config.exclude ?? preset?.exclude ?? []), ...(context.toolSite?.exclude ?? [])],
    target: targetSettings(config.target),
    targets: Object.fromEntries(
      Object.entries(config.targets ?? {}).map(([name, target]) => [name, remoteTarget(name, target)]),
    ),
    defaultLanguage,
    defaults: {
      status: config.defaults?.status ?? preset?.status ?? 'draft',
      order: config.defaults?.order ?? 0,
      reviewAfterDays: Number.parseInt(config.defaults?.reviewAfter ?? '180d', 10),
      categories: config.defaults?.categories ?? [],
    },
    articleUrl: addressMaker(config.links?.article ?? '/articles/{slug}'),
    categoryUrl: addressMaker(config.links?.category ?? '/categories/{slug}'),
    tagUrl: addressMaker(config.links?.tag ?? '/tags/{slug}'),
    ignoredLinks: config.links?.ignore ?? [],
    assets: assetSettings(config.assets),
    render: {
      ...renderSettings(config.markdown),
      dialect: config.preset,
      elements,
      frontmatter,
      ...(siteFiles.length > 0 && { siteFiles }),
    },
    rules: { ...preset?.rules, ...config.rules },
    sync: syncSettings(config.sync),
    report: reportSettings(config.report, root),
    pages: { name: config.pages?.name ?? config.project ?? context.packageName ?? 'Knowledge base' },
    server: {
      host: config.server?.host ?? '127.0.0.1',
      port: config.server?.port ?? 4400,
      db: resolve(root, config.server?.db ?? join('.kb', 'kb.db')),
      languages: config.server?.languages ?? [defaultLanguage],
      articleLimit: config.server?.articleLimit ?? 1_000_000,
      bodyLimitBytes: parseSizeBytes(config.server?.bodyLimit ?? '32MB') ?? 32_000_000,
    },
  }
}

/** The folder with the articles, absolute. */
export function contentRootOf({ content, preset }: KbConfig, root: string): string {
  return resolve(root, content ?? (preset === undefined ? 'content' : PRESET_DEFAULTS[preset].content))
}

/** A remote target's settings; the url loses `/api/v2` and trailing slashes. */
export function remoteTarget(name: string, target: RemoteTarget): RemoteTargetSettings {
  const url = new URL(target.url)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v2$/, '')
  return {
    kind: 'remote',
    name,
    url: `${url.origin}${path}`,
    apiKey: target.apiKey,
    allowHttp: target.allowHttp,
  }
}

function targetSettings(target: KbConfig['target']): Settings['target'] {
  if (target === undefined || target === 'builtin') return { kind: 'builtin', name: 'builtin' }
  return remoteTarget('default', target)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function assetSettings({ inlineUnder, baseUrl, maxSize }: KbConfig['assets'] = {}): Settings['assets'] {
  return {
    // Where files have a place of their own, an article need not carry them along.
    inlineUnderBytes: parseSizeBytes(inlineUnder ?? (baseUrl === undefined ? '32kB' : '0B')) ?? 32_000,
    baseUrl: baseUrl?.replace(/\/+$/, ''),
    maxSizeBytes: parseSizeBytes(maxSize ?? '25MB') ?? 25_000_000,
  }
}

/** Makes addresses by a pattern with `{slug}` and `{language}`. */
export function addressMaker(link: string | ((link: ArticleLink) => string)): Settings['articleUrl'] {
  if (typeof link === 'function') return link
  return ({ slug, language }) =>
    link.replaceAll('{slug}', encodeURIComponent(slug)).replaceAll('{language}', encodeURIComponent(language))
}

function mappingSettings(
  { preset, frontmatter, server, defaultLanguage = 'en' }: KbConfig,
  folderName: string,
  sections: readonly SiteFile[],
): Settings['render']['frontmatter'] {
  if (preset === undefined && frontmatter === undefined) return undefined
  const { read, write } =
    typeof frontmatter === 'function' ? { read: frontmatter } : (frontmatter ?? { read: undefined })
  return {
    preset,
    languages: server?.languages ?? [defaultLanguage],
    folderName,
    read,
    write,
    ...(sections.length > 0 && { sections }),
  }
}

function renderSettings(
  markdown: KbConfig['markdown'] = {},
): Omit<Settings['render'], 'dialect' | 'elements' | 'frontmatter' | 'siteFiles'> {
  return {
    parser: markdown.parser ?? 'native',
    remarkPlugins: markdown.remarkPlugins ?? [],
    allow: { tags: markdown.allow?.tags ?? [], attributes: markdown.allow?.attributes ?? {} },
    highlight: markdown.highlight ?? false,
  }
}

function reportSettings(report: KbConfig['report'] = {}, root: string): Settings['report'] {
  return {
    dueWithinDays: Number.parseInt(report.dueWithin ?? '30d', 10),
    failOn: report.failOn ?? [],
    maxOverdue: report.maxOverdue,
    baseline: report.baseline === undefined ? undefined : resolve(root, report.baseline),
  }
}

function syncSettings(sync: KbConfig['sync'] = {}): Settings['sync'] {
  return {
    concurrency: sync.concurrency,
    prune: sync.prune ?? false,
    maxDeletes: parseMaxDeletes(sync.maxDeletes ?? '10%') ?? { kind: 'share', share: 0.1 },
    onConflict: sync.onConflict ?? 'fail',
    taxonomy: sync.taxonomy,
    retries: sync.retries ?? 5,
    timeoutMs: parseDurationMs(sync.timeout ?? '30s') ?? 30_000,
    settleMs: parseDurationMs(sync.settle ?? '10s') ?? 10_000,
  }
}
