import { basename, resolve } from 'node:path'
import type { PluggableList } from 'unified'
import { isDatabaseUrl } from '../database-url.ts'
import { digestParts } from '../digest.ts'
import type { EmbedHost } from '../embed-hosts.ts'
import type { RuleSettings } from '../model/diagnostic-codes.ts'
import type { OwnElements } from '../model/element-mapping.ts'
import type { SiteFile, SiteFiles, ToolSite } from '../dialects/dialect.ts'
import { dialectOf, type PresetName } from '../dialects/dialects.ts'
import type { FrontmatterMapping } from '../dialects/frontmatter-mapping.ts'
import type { ThresholdName } from '../model/threshold.ts'
import { parseDurationMs, parseSizeBytes } from '../quantities.ts'
import { CONFIG_DEFAULTS as DEFAULTS, INLINE_UNDER } from './defaults.ts'
import { type MaxDeletes, parseMaxDeletes } from './max-deletes.ts'
import type {
  ArticleLink,
  BrokenLinks,
  KbConfig,
  OnConflict,
  OnError,
  ParserName,
  RemoteTarget,
  TaxonomyMode,
} from './schema.ts'

/** The project name in markers if the project has no name; never sent to a remote target. */
export const UNNAMED_PROJECT = 'default'

export interface RemoteTargetSettings {
  readonly kind: 'remote'
  readonly name: string
  /** Origin and path without `/api/v2` and without a trailing slash. */
  readonly url: string
  readonly apiKey: string | undefined
  /** Host to which the API key may be sent over plain http://. */
  readonly allowHttp: string | undefined
}

export type TargetSettings = { readonly kind: 'builtin'; readonly name: 'builtin' } | RemoteTargetSettings

export interface RenderSettings {
  readonly parser: ParserName
  readonly remarkPlugins: PluggableList
  readonly allow: {
    readonly tags: readonly string[]
    readonly attributes: Readonly<Record<string, readonly string[]>>
  }
  readonly highlight: boolean
  /** `pages.embeds`, if set: hosts of videos that play on the pages; no rule reports their URLs. */
  readonly embeds?: readonly EmbedHost[] | undefined
  /** The Markdown dialect. Undefined: plain Markdown. */
  readonly dialect?: PresetName | undefined
  /** Mappings of the project's own components and shortcodes. */
  readonly elements?: OwnElements | undefined
  /** Undefined: the frontmatter is in kb-sync's own format. */
  readonly frontmatter?: FrontmatterMapping | undefined
  /** Configuration files of the tool's site, if texts can show their values. */
  readonly siteFiles?: readonly SiteFile[] | undefined
  /** As in `ToolSite`. */
  readonly includeFolders?: readonly string[] | undefined
  /** As in `ToolSite`. */
  readonly appended?: readonly SiteFile[] | undefined
}

interface SyncSettings {
  /** Undefined: 8, or 32 on the built-in server. */
  readonly concurrency: number | undefined
  readonly prune: boolean
  readonly maxDeletes: MaxDeletes
  readonly onConflict: OnConflict
  readonly onError: OnError
  /** Undefined: `update` on the built-in server, otherwise `check`. */
  readonly taxonomy: TaxonomyMode | undefined
  readonly retries: number
  readonly timeoutMs: number
  readonly settleMs: number
}

/** The configuration with all defaults applied and all paths absolute. */
export interface Settings extends RuleSettings {
  readonly root: string
  readonly configFile: string | undefined
  /** Digest of the whole configuration and the program version. */
  readonly settingsDigest: string
  /** True if functions of the user affect what is sent: their results can change although the settings do not. */
  readonly hasFunctions: boolean
  /** Digest of everything that affects the rendering except the text and the parser. */
  readonly renderDigest: string
  readonly preset: PresetName | undefined
  /** With a preset: the tool's site around the content. */
  readonly toolSite: ToolSite | undefined
  /** URL of the site for root-relative links, without a trailing slash. */
  readonly siteUrl: string | undefined
  /** `UNNAMED_PROJECT` if the project has no name. */
  readonly project: string
  readonly contentRoot: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly target: TargetSettings
  readonly targets: Readonly<Record<string, RemoteTargetSettings>>
  readonly defaultLanguage: string
  readonly defaults: {
    readonly status: 'draft' | 'published'
    readonly order: number
    readonly reviewAfterDays: number
    readonly reviewSpreadDays: number
    readonly categories: readonly string[]
  }
  readonly articleUrl: (link: ArticleLink) => string
  readonly categoryUrl: (link: ArticleLink) => string
  readonly tagUrl: (link: ArticleLink) => string
  readonly brokenLinks: BrokenLinks
  /** URL patterns (`*` matches anything) that are never requested. */
  readonly ignoredLinks: readonly string[]
  readonly assets: {
    readonly inlineUnderBytes: number
    /** Without a trailing slash. */
    readonly baseUrl: string | undefined
    readonly maxSizeBytes: number
    /** Of the target. Replaced when another target is chosen, or when a remote one announces its storage. */
    readonly storage: FileStorage
  }
  readonly render: RenderSettings
  readonly sync: SyncSettings
  readonly report: {
    readonly dueWithinDays: number
    readonly failOn: readonly ThresholdName[]
    /** Undefined: no limit. */
    readonly maxOverdue: number | undefined
    /** Absolute. */
    readonly baseline: string | undefined
  }
  readonly pages: PageSettings
  /** Pages of the other sites of the built-in server, by site name. Each has a URL. */
  readonly otherPages: ReadonlyMap<string, PageSettings>
  readonly server: {
    readonly host: string
    readonly port: number
    readonly db: string
    readonly languages: readonly string[]
    readonly articleLimit: number
    readonly bodyLimitBytes: number
    /** Limits for the files of articles. */
    readonly files: { readonly fileBytes: number; readonly siteBytes: number; readonly graceMs: number }
  }
}

export interface PageSettings {
  /** Name of the knowledge base, as shown to readers. */
  readonly name: string
  /** Public URL of the pages, without a trailing slash. */
  readonly url: string | undefined
  readonly signIn: 'hidden' | 'shown'
  /** Branding of the pages, with paths as written. */
  readonly brand: BrandSettings
  /** Password for readers. Undefined: the pages are open. */
  readonly password?: string | undefined
}

export type BrandSettings = Omit<
  NonNullable<KbConfig['pages']>,
  'name' | 'url' | 'signIn' | 'password' | 'sites'
>

export interface ConfigContext {
  readonly root: string
  readonly configFile: string | undefined
  readonly packageName: string | undefined
  readonly programVersion: string
  /** Digest of the configuration file, which may contain data used by its functions. */
  readonly configDigest?: string | undefined
  /** With a preset: the tool's site around the content. */
  readonly toolSite?: ToolSite | undefined
  readonly site?: Pick<SiteFiles, 'files' | 'sections'> | undefined
}

/** Applies the defaults. Pure; `config` is valid according to `configSchema`. */
export function normaliseConfig(config: KbConfig, context: ConfigContext): Settings {
  const { root, configFile, packageName, toolSite } = context
  const defaultLanguage = config.defaultLanguage ?? DEFAULTS.defaultLanguage
  const preset = config.preset === undefined ? undefined : dialectOf(config.preset).defaults
  const contentRoot = contentRootOf(config, root)
  const links = complete(config.links, DEFAULTS.links)
  const defaults = complete(config.defaults, {
    ...DEFAULTS.defaults,
    ...(preset && { status: preset.status }),
  })
  const server = complete(config.server, { ...DEFAULTS.server, languages: [defaultLanguage] })
  const render = renderSettings(config, context, server.languages)
  return {
    root,
    configFile,
    ...digests(config, context, render),
    preset: config.preset,
    toolSite,
    siteUrl: config.siteUrl?.replace(/\/+$/, ''),
    project: config.project ?? packageName ?? UNNAMED_PROJECT,
    contentRoot,
    include: config.include ?? preset?.include ?? DEFAULTS.include,
    // Files that the tool does not publish are not sent.
    exclude: [...(config.exclude ?? preset?.exclude ?? []), ...(toolSite?.exclude ?? [])],
    target: targetSettings(config.target),
    targets: Object.fromEntries(
      Object.entries(config.targets ?? {}).map(([name, target]) => [name, remoteTarget(name, target)]),
    ),
    defaultLanguage,
    defaults: {
      status: defaults.status,
      order: defaults.order,
      reviewAfterDays: Number.parseInt(defaults.reviewAfter, 10),
      reviewSpreadDays: Number.parseInt(defaults.reviewSpread, 10),
      categories: [defaults.categories].flat(),
    },
    articleUrl: addressMaker(links.article),
    categoryUrl: addressMaker(links.category),
    tagUrl: addressMaker(links.tag),
    brokenLinks: links.broken,
    ignoredLinks: links.ignore,
    assets: assetSettings(config.assets, config.target),
    render,
    rules: { ...preset?.rules, ...config.rules },
    overrides: config.overrides ?? [],
    sync: syncSettings(config.sync),
    report: reportSettings(config.report, root),
    pages: pageSettings(config.pages, config.project ?? packageName ?? 'Knowledge base'),
    otherPages: otherPages(config),
    server: {
      host: server.host,
      port: server.port,
      db: isDatabaseUrl(server.db) ? server.db : resolve(root, server.db),
      languages: server.languages,
      articleLimit: server.articleLimit,
      bodyLimitBytes: parsed(parseSizeBytes(server.bodyLimit)),
      files: fileSettings(config.server?.files),
    },
  }
}

function fileSettings(files: NonNullable<KbConfig['server']>['files']): Settings['server']['files'] {
  const { maxSize, maxTotal, grace } = complete(files, DEFAULTS.server.files)
  return {
    fileBytes: parsed(parseSizeBytes(maxSize)),
    siteBytes: parsed(parseSizeBytes(maxTotal)),
    graceMs: parsed(parseDurationMs(grace)),
  }
}

type Complete<Part extends object, Defaults> = Omit<Part, keyof Defaults> & {
  readonly [Key in keyof Defaults & keyof Part]-?: Exclude<Part[Key], undefined>
}

function complete<Part extends object, Defaults extends Partial<Part>>(
  part: Part | undefined,
  defaults: Defaults,
): Complete<Part, Defaults> {
  const given = Object.entries(part ?? {}).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(given) } as Complete<Part, Defaults>
}

function parsed<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('This configuration was not validated.')
  return value
}

function digests(
  config: KbConfig,
  { programVersion, packageName = '', toolSite, configDigest = '', site }: ConfigContext,
  { elements, embeds, frontmatter, includeFolders, appended }: RenderSettings,
): Pick<Settings, 'settingsDigest' | 'hasFunctions' | 'renderDigest'> {
  const siteText = [...(site?.files ?? []), ...(site?.sections ?? [])].flatMap(({ name, text }) => [
    name,
    text,
  ])
  const { article, category, tag } = config.links ?? {}
  const hasOwnFunctions = [frontmatter?.read, elements?.components, elements?.shortcodes].some(isFunction)
  return {
    settingsDigest: digestParts([
      programVersion,
      describeConfig(config),
      packageName,
      ...(toolSite === undefined ? [] : [describeConfig(toolSite)]),
      ...siteText,
    ]),
    hasFunctions:
      [article, category, tag].some(isFunction) ||
      (config.markdown?.remarkPlugins ?? []).length > 0 ||
      hasOwnFunctions,
    renderDigest: digestParts([
      programVersion,
      describeConfig(config.markdown ?? {}),
      // Adds nothing if there is no mapping, so that earlier renderings stay valid.
      ...(frontmatter === undefined ? [] : [describeConfig(frontmatter)]),
      ...(elements === undefined ? [] : [describeConfig(elements)]),
      ...(embeds === undefined ? [] : [describeConfig(embeds)]),
      ...(includeFolders === undefined ? [] : [describeConfig(includeFolders)]),
      ...(appended === undefined ? [] : [describeConfig(appended)]),
      ...(hasOwnFunctions ? [configDigest] : []),
      ...siteText,
    ]),
  }
}

/** Returns the absolute path of the content folder. */
export function contentRootOf({ content, preset }: KbConfig, root: string): string {
  return resolve(
    root,
    content ?? (preset === undefined ? DEFAULTS.content : dialectOf(preset).defaults.content),
  )
}

/** Returns the settings of a remote target, with a URL without `/api/v2` and trailing slashes. */
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

/** Whether a target stores the files of articles. */
export type FileStorage = 'offered' | 'absent' | 'unknown'

/** Returns what is known without a request. */
export function fileStorageOf({ kind }: Pick<TargetSettings, 'kind'>): FileStorage {
  return kind === 'builtin' ? 'offered' : 'unknown'
}

function assetSettings(assets: KbConfig['assets'], target: KbConfig['target']): Settings['assets'] {
  const { inlineUnder, baseUrl, maxSize } = complete(assets, DEFAULTS.assets)
  // Files with their own URL need not be embedded.
  const isInlined = inlineUnder !== undefined || baseUrl === undefined
  return {
    inlineUnderBytes: isInlined ? parsed(parseSizeBytes(inlineUnder ?? INLINE_UNDER)) : 0,
    baseUrl: baseUrl?.replace(/\/+$/, ''),
    maxSizeBytes: parsed(parseSizeBytes(maxSize)),
    storage: fileStorageOf(targetSettings(target)),
  }
}

/** Returns a function that creates article URLs from a pattern with `{slug}` and `{language}`. */
export function addressMaker(link: string | ((link: ArticleLink) => string)): Settings['articleUrl'] {
  if (typeof link === 'function') return link
  return ({ slug, language }) =>
    link.replaceAll('{slug}', encodeURIComponent(slug)).replaceAll('{language}', encodeURIComponent(language))
}

function renderSettings(
  config: KbConfig,
  { root, site, toolSite }: ConfigContext,
  languages: readonly string[],
): RenderSettings {
  const { preset, components, shortcodes } = config
  const { parser, highlight, remarkPlugins = [], allow } = complete(config.markdown, DEFAULTS.markdown)
  const hasElements = components !== undefined || shortcodes !== undefined
  return {
    parser,
    remarkPlugins,
    allow: { tags: allow?.tags ?? [], attributes: allow?.attributes ?? {} },
    highlight,
    ...(config.pages?.embeds !== undefined && { embeds: config.pages.embeds }),
    dialect: preset,
    elements: hasElements ? { components, shortcodes } : undefined,
    frontmatter: mappingSettings(
      config,
      basename(contentRootOf(config, root)),
      languages,
      site?.sections ?? [],
      toolSite,
    ),
    ...(site !== undefined && site.files.length > 0 && { siteFiles: site.files }),
    ...(toolSite?.includeFolders !== undefined && { includeFolders: toolSite.includeFolders }),
    ...(toolSite?.appended !== undefined && toolSite.appended.length > 0 && { appended: toolSite.appended }),
  }
}

function mappingSettings(
  { preset, frontmatter }: KbConfig,
  folderName: string,
  languages: readonly string[],
  sections: readonly SiteFile[],
  toolSite: ToolSite | undefined,
): RenderSettings['frontmatter'] {
  if (preset === undefined && frontmatter === undefined) return undefined
  const { docsPath = '', navigation: { entries: navigation = [] } = {} } = toolSite ?? {}
  const isGeneric = preset !== undefined && dialectOf(preset).isGeneric
  const { read, write } =
    typeof frontmatter === 'function' ? { read: frontmatter } : (frontmatter ?? { read: undefined })
  return {
    preset,
    languages,
    folderName,
    read,
    write,
    ...(sections.length > 0 && { sections }),
    // Positions change with every edit above them and do not affect texts.
    ...(isGeneric === true && docsPath !== '' && { urlFolder: docsPath.slice(1) }),
    ...(navigation.length > 0 && {
      navigation: navigation.map((entry) => ({ ...entry, position: undefined })),
    }),
  }
}

function otherPages({ pages: { sites = {} } = {} }: KbConfig): Settings['otherPages'] {
  return new Map(Object.entries(sites).map(([name, pages]) => [name, pageSettings(pages, name)]))
}

function pageSettings(pages: KbConfig['pages'], ownName: string): PageSettings {
  const { name = ownName, url, signIn, password, sites: _sites, ...brand } = complete(pages, DEFAULTS.pages)
  return { name, url: url && new URL(url).href.replace(/\/+$/, ''), signIn, brand, password }
}

function reportSettings(report: KbConfig['report'], root: string): Settings['report'] {
  const { dueWithin, failOn, maxOverdue, baseline } = complete(report, DEFAULTS.report)
  return {
    dueWithinDays: Number.parseInt(dueWithin, 10),
    failOn,
    maxOverdue,
    baseline: baseline === undefined ? undefined : resolve(root, baseline),
  }
}

function syncSettings(sync: KbConfig['sync']): SyncSettings {
  const { maxDeletes, timeout, settle, concurrency, taxonomy, ...rest } = complete(sync, DEFAULTS.sync)
  return {
    ...rest,
    concurrency,
    taxonomy,
    maxDeletes: parsed(parseMaxDeletes(maxDeletes)),
    timeoutMs: parsed(parseDurationMs(timeout)),
    settleMs: parsed(parseDurationMs(settle)),
  }
}

/**
 * Serialises the configuration: equal texts mean equal configurations. A function is represented by its source (its
 * closure is not visible). Options of Markdown plugins can be anything, even circular.
 */
export function describeConfig(config: unknown): string {
  const above: object[] = []
  return describe(config)

  function describe(value: unknown): string {
    if (typeof value !== 'object' || value === null) return `${typeof value} ${describePlain(value)}`
    if (value instanceof RegExp || value instanceof Date) return `${value.constructor.name} ${String(value)}`
    const depth = above.indexOf(value)
    if (depth !== -1) return `circle ${depth}`
    above.push(value)
    const text = isList(value)
      ? [...value].map(describe)
      : entriesOf(value).map(([key, member]) => `${describe(key)}: ${describe(member)}`)
    above.pop()
    return `${isList(value) ? 'list' : 'object'} {${text.join(', ')}}`
  }
}

function describePlain(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

function isList(value: object): value is Iterable<unknown> {
  return Array.isArray(value) || value instanceof Set
}

function entriesOf(value: object): [unknown, unknown][] {
  return value instanceof Map ? [...value] : Object.entries(value)
}
