import { createAnchorIndex, encodeAnchor } from '../../content/markdown/anchors.ts'
import type { RenderCache } from '../../content/pipeline/render-cache.ts'
import type { Settings } from '../../core/config/settings.ts'
import { createSchema } from '../../content/markdown/allow-schema.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { LocalTaxonomy, TaxonomyTexts } from '../../core/model/taxonomy.ts'
import type { RemoteEntry } from '../../sync/plan/remote-entry.ts'
import { findLostParts } from '../body/lost-parts.ts'
import { htmlToMarkdown } from '../../content/from-html/html-to-markdown.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { TaxonomyIndex } from '../../sync/plan/taxonomy/taxonomy-index.ts'
import { contentPrefix, contentOptions } from '../../sync/content-project.ts'
import type { PlannedRun } from '../../sync/planning/planned-run.ts'
import { draftFile, type DraftTools, rememberBodies, type Incoming } from './proposed-file.ts'
import { createLinkBack, type LinkBackInput } from './link-back.ts'
import { createNameReferences } from './frontmatter-changes.ts'
import type { PullContext } from './pull-options.ts'
import { validateProposals, type SettleInput } from './validate-proposals.ts'
import type { FileDigests } from '../../content/source/hash-sources.ts'
import type { CompiledMeta, CompiledSource } from '../../content/markdown/rendered-body.ts'
import { createCompiler } from '../../content/pipeline/create-compiler.ts'
import type { FileStamp, FoundSources } from '../../content/source/find-sources.ts'
import { inputKeysOf, renderKeyOf } from '../../content/pipeline/compile-sources.ts'
import { loadContent } from '../../content/pipeline/load-content.ts'
import { resolveParser } from '../../content/parser/resolve-parser.ts'
import { memoize } from '../../core/memoize.ts'

interface DraftContext extends PullContext {
  readonly planned: PlannedRun
  readonly index: TaxonomyIndex
  /** Tags of the target that articles refer to. */
  readonly tags: RemoteArticle['tags']
}

/** Proposes files for the incoming changes and checks them. Writes nothing. */
export async function draftIncoming(
  incoming: readonly Incoming[],
  { open, found, hashes, planned, index, tags }: DraftContext,
  settings: Settings,
): ReturnType<typeof validateProposals> {
  if (incoming.length === 0) return { drafts: [], rejected: [] }
  const { articles, taxonomy, assets, readHtml } = open.content
  const checker = await createDraftChecker(settings, found, hashes, open.cache)
  const { allow } = settings.render
  const schema = createSchema(allow)
  const draftAll = createDraftAll({
    documents: articles,
    entryOf: planned.matches.entryOf,
    links: {
      assets,
      rootFolders: settings.toolSite?.rootFolders,
      taxonomyLinks: createTaxonomyAddresses(taxonomy, settings),
      urlOf: ({ slug, language }) =>
        settings.articleUrl({ slug, language: language ?? settings.defaultLanguage }),
      findFragment: createFindFragment(articles, open.cache),
    },
    tools: {
      settings,
      render: checker.render,
      files: checker.files,
      nameReferences: createNameReferences({
        articles,
        taxonomy,
        index,
        categories: planned.remote.categories,
        tagNames: new Map(tags.map(({ id, name }) => [id, name])),
      }),
      readHtml,
      findLost: (html) => findLostParts(html, schema),
      toBody: rememberBodies((html, linkOf) => htmlToMarkdown(html, { linkOf, allow })),
    },
  })
  return validateProposals({
    incoming,
    draftAll,
    check: checker.check,
    contentPrefix: contentPrefix(settings),
  })
}

/** Returns a function that finds the fragment sent for a link to a heading; undefined if there is no such heading. */
function createFindFragment(
  articles: readonly LocalArticle[],
  cache: Pick<RenderCache, 'readLinks'>,
): (source: string, fragment: string) => string | undefined {
  const keys = new Map(articles.map(({ source, inputKey }) => [source, inputKey]))
  const indexOf = memoize((key: string) => createAnchorIndex(cache.readLinks(key).anchors))
  return (source, fragment) => {
    const key = keys.get(source)
    if (key === undefined) return undefined
    const anchor = indexOf(key).find(fragment)
    return anchor === undefined ? undefined : encodeAnchor(anchor)
  }
}

interface Entry {
  readonly slug: string | undefined
  readonly translations: Readonly<Record<string, TaxonomyTexts>>
}

/**
 * Returns the inverse of resolving links to categories and tags in an article of a language: maps a URL to the link
 * from the content folder, such as `_categories.yml#accounts`. Pure.
 */
function createTaxonomyAddresses(
  { categories = [], tags = [] }: LocalTaxonomy,
  { categoryUrl, tagUrl, defaultLanguage }: Pick<Settings, 'categoryUrl' | 'tagUrl' | 'defaultLanguage'>,
): (language: string | null) => ReadonlyMap<string, string> {
  const linksIn = memoize((language: string) => {
    const link = (entries: readonly Entry[], file: string, urlOf: Settings['categoryUrl']) =>
      entries.flatMap(({ slug, translations }) => {
        if (slug === undefined) return []
        const translated = translations[language]?.slug
        const address =
          translated === undefined
            ? urlOf({ slug, language: defaultLanguage })
            : urlOf({ slug: translated, language })
        return [[address, `${file}#${slug}`] as const]
      })
    return new Map([...link(tags, '_tags.yml', tagUrl), ...link(categories, '_categories.yml', categoryUrl)])
  })
  return (language) => linksIn(language ?? defaultLanguage)
}

type Placed = Pick<LocalArticle, 'source' | 'slug' | 'language'>

interface DraftAllInput {
  readonly documents: readonly LocalArticle[]
  /** Articles of the target by source. */
  readonly entryOf: ReadonlyMap<string, RemoteEntry>
  readonly links: Pick<LinkBackInput, 'urlOf' | 'findFragment' | 'assets' | 'rootFolders' | 'taxonomyLinks'>
  readonly tools: Omit<DraftTools, 'referTo'>
}

/** Returns a function that proposes files, which link to each other with their new paths. Pure. */
function createDraftAll({ documents, entryOf, links, tools }: DraftAllInput): SettleInput['draftAll'] {
  const onTarget = documents.flatMap(({ source }) => {
    const entry = entryOf.get(source)
    return entry === undefined ? [] : [{ source, slug: entry.slug, language: entry.language }]
  })
  return (open, excerpts) => {
    const next = placeAll(documents, open)
    const linkBack = createLinkBack({ ...links, documents: next, formerly: [...documents, ...onTarget] })
    const referTo: DraftTools['referTo'] = (original, language) => nameOriginal(original, language, next)
    return new Map(
      open.map((incoming) => {
        const { source } = incoming
        return [
          source,
          draftFile(incoming, excerpts.get(source), linkBack(source), { ...tools, referTo }),
        ] as const
      }),
    )
  }
}

/** Returns all documents with their new slugs. */
function placeAll(documents: readonly LocalArticle[], open: readonly Incoming[]): Placed[] {
  const coming = new Map(open.map((incoming) => [incoming.source, incoming]))
  const kept = documents.map(({ source, slug, language }) => {
    const incoming = coming.get(source)
    const takesSlug = incoming?.kind === 'edit' && incoming.fields.includes('slug')
    return { source, slug: takesSlug ? incoming.remote.fields.slug : slug, language }
  })
  const added = open.flatMap(({ kind, source, remote: { fields, language } }) =>
    kind === 'new' ? [{ source, slug: fields.slug, language }] : [],
  )
  return [...kept, ...added]
}

/** Returns the slug if it refers to only one article, else the path; undefined if that file is left out. */
function nameOriginal(
  original: string,
  language: string | null,
  documents: readonly Placed[],
): string | undefined {
  const slug = documents.find(({ source }) => source === original)?.slug
  if (slug === undefined) return undefined
  const meant = documents.filter((each) => each.slug === slug && each.language !== language)
  return meant.length === 1 ? slug : original
}

/**
 * Runs the pipeline of `kb check` on texts that are not written yet. Writes nothing to disk, not even the cache.
 *
 * @param hashes digests of the existing articles, by source
 */
async function createDraftChecker(
  settings: Settings,
  found: FoundSources,
  hashes: FileDigests,
  cache: RenderCache,
) {
  const options = contentOptions(settings)
  const parser = await resolveParser(options.markdown)
  const { render, compile, files } = await createCompiler(options.markdown, parser, options.contentRoot)
  const renderKey = renderKeyOf(options, parser.kind)
  const drafted: Drafted = { compiled: new Map(), includes: new Map() }
  const stamps = new Map(found.articles.map((article) => [article.source, article]))
  const draft = (text: string, source: string): string => {
    const { sourceHash, ...compiled } = compile(Buffer.from(text), source)
    const { includes } = compiled.meta
    const { inputKey, includesKey } = inputKeysOf({ source, sourceHash }, includes, renderKey)
    drafted.compiled.set(inputKey, compiled)
    if (includesKey !== undefined) drafted.includes.set(includesKey, sourcesOf(compiled.meta))
    return sourceHash
  }
  return {
    render,
    /** Reads and writes frontmatter in a format other than our own. */
    files,
    /** Checks the content with these texts (by source) instead of their files, or as new files. */
    check: async (drafts: ReadonlyMap<string, string>) => {
      const changed = [...drafts].map(([source, text]) => [source, draft(text, source)] as const)
      const all = new Map([...hashes, ...changed])
      const sources = [...all.keys()].toSorted()
      return loadContent({
        options,
        found: {
          taxonomy: found.taxonomy,
          folders: found.folders,
          unread: found.unread,
          articles: sources.map((source) => stamps.get(source) ?? newFile(source)),
        },
        hashes: new Map(sources.map((source) => [source, all.get(source)])),
        cache: overlay(cache, drafted),
      })
    },
  }
}

interface Drafted {
  readonly compiled: Map<string, CompiledSource>
  readonly includes: Map<string, readonly string[]>
}

function sourcesOf({ includes = [] }: CompiledMeta): string[] {
  return includes.map(([source]) => source)
}

function newFile(source: string): FileStamp {
  return { source, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 }
}

function overlay(cache: RenderCache, { compiled, includes }: Drafted): RenderCache {
  return {
    readMeta: (key) => compiled.get(key)?.meta ?? cache.readMeta(key),
    readIncludes: (key) => includes.get(key) ?? cache.readIncludes(key),
    readLinks: (key) => compiled.get(key)?.links ?? cache.readLinks(key),
    readHtml: (key) => compiled.get(key)?.html ?? cache.readHtml(key),
    store: () => undefined,
    prune: () => undefined,
    findLost: () => new Set(),
    close: () => undefined,
  }
}
