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
import { contentPrefix } from '../../sync/content-project.ts'
import type { PlannedRun } from '../../sync/plan-run/planned-run.ts'
import { proposeFile, type ProposalTools, rememberBodies, type Incoming } from './proposed-file.ts'
import { createLinkBack, type LinkBackInput } from './link-back.ts'
import { createNameReferences } from './frontmatter-changes.ts'
import type { PullContext } from './pulled-files.ts'
import {
  validateProposals,
  type ValidatedProposals,
  type ValidationInput,
  createProposalChecker,
} from './validate-proposals.ts'
import { memoize } from '../../core/memoize.ts'

interface ProposalContext extends PullContext {
  readonly planned: PlannedRun
  readonly index: TaxonomyIndex
  /** Tags of the target that articles refer to. */
  readonly tags: RemoteArticle['tags']
}

/** Proposes files for the incoming changes and checks them. Writes nothing. */
export async function proposeFiles(
  incoming: readonly Incoming[],
  { open, found, hashes, planned, index, tags }: ProposalContext,
  settings: Settings,
): Promise<ValidatedProposals> {
  if (incoming.length === 0) return { accepted: [], rejected: [] }
  const { articles, taxonomy, assets, readHtml } = open.content
  const checker = await createProposalChecker(settings, found, hashes, open.cache)
  const { allow } = settings.render
  const schema = createSchema(allow)
  const proposeAll = createProposeAll({
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
    proposeAll,
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

interface ProposeAllInput {
  readonly documents: readonly LocalArticle[]
  /** Articles of the target by source. */
  readonly entryOf: ReadonlyMap<string, RemoteEntry>
  readonly links: Pick<LinkBackInput, 'urlOf' | 'findFragment' | 'assets' | 'rootFolders' | 'taxonomyLinks'>
  readonly tools: Omit<ProposalTools, 'referTo'>
}

/** Returns a function that proposes files, which link to each other with their new paths. Pure. */
function createProposeAll({
  documents,
  entryOf,
  links,
  tools,
}: ProposeAllInput): ValidationInput['proposeAll'] {
  const onTarget = documents.flatMap(({ source }) => {
    const entry = entryOf.get(source)
    return entry === undefined ? [] : [{ source, slug: entry.slug, language: entry.language }]
  })
  return (open, excerpts) => {
    const next = placeAll(documents, open)
    const linkBack = createLinkBack({ ...links, documents: next, formerly: [...documents, ...onTarget] })
    const referTo: ProposalTools['referTo'] = (original, language) => nameOriginal(original, language, next)
    return new Map(
      open.map((incoming) => {
        const { source } = incoming
        return [
          source,
          proposeFile(incoming, excerpts.get(source), linkBack(source), { ...tools, referTo }),
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
