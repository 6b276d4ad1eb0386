import type { Settings } from '../../core/config/settings.ts'
import { createSchema } from '../../content/markdown/allow-schema.ts'
import type { LocalArticle, Frontmatter } from '../../core/model/document.ts'
import type { RemoteEntry } from '../../sync/plan/remote-entry.ts'
import { findLostParts } from '../body/lost-parts.ts'
import { htmlToMarkdown } from '../../content/from-html/html-to-markdown.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { TaxonomyIndex } from '../../sync/plan/taxonomy/taxonomy-index.ts'
import { contentPrefix } from '../../core/paths.ts'
import type { PlannedRun } from '../../sync/plan-run/planned-run.ts'
import type {
  Incoming,
  PullContext,
  IncomingArticle,
  IncomingEdit,
  ProposedFile,
  RejectedFile,
} from './pulled-files.ts'
import {
  createLinkBack,
  type LinkBackInput,
  createFindFragment,
  createTaxonomyAddresses,
} from './link-back.ts'
import {
  createNameReferences,
  frontmatterChanges,
  type WrittenNames,
  writtenDate,
  type NameReferences,
} from './frontmatter-changes.ts'
import { createProposalChecker, validateProposals } from './validate-proposals.ts'
import { slugOfSource } from '../../content/frontmatter/build-document.ts'
import type { RenderMarkdown } from '../../content/markdown/create-renderer.ts'
import {
  createArticleFile,
  editFrontmatter,
  type FrontmatterChanges,
} from '../../content/write-back/edit-frontmatter.ts'
import { mergeBody } from '../body/merge-body.ts'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'
import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'

interface ProposalContext extends PullContext {
  readonly planned: PlannedRun
  readonly index: TaxonomyIndex
  /** Tags of the target that articles refer to. */
  readonly tags: RemoteArticle['tags']
}

/**
 * Proposes files for the incoming changes and checks them together. Invalid ones are left out and the rest is proposed
 * again, until all are valid and equal to the target. Writes nothing.
 */
export async function proposeFiles(
  incoming: readonly Incoming[],
  context: ProposalContext,
  settings: Settings,
) {
  const rejected: RejectedFile[] = []
  if (incoming.length === 0) return { accepted: [], rejected }
  const { found, hashes, open: project } = context
  const checker = await createProposalChecker(settings, found, hashes, project.cache)
  const { check } = checker
  const proposeAll = prepareProposals(context, checker, settings)
  const excerpts = new Map<string, string>()
  let open = incoming
  for (;;) {
    const proposals = proposeAll(open, excerpts)
    const judged = { open, proposals, excerpts, check, contentPrefix: contentPrefix(settings) }
    const { accepted, leftOut, missing } = await validateProposals(judged)
    if (leftOut.size === 0 && missing.length === 0) return { accepted, rejected }
    for (const [source, excerpt] of missing) excerpts.set(source, excerpt)
    for (const each of open) {
      const reason = leftOut.get(each.source)
      if (reason !== undefined) rejected.push({ incoming: each, reason })
    }
    open = open.filter(({ source }) => !leftOut.has(source))
  }
}

/** Proposes these files, with links to each other. `excerpts` are by source. */
type ProposeAll = (
  open: readonly Incoming[],
  excerpts: ReadonlyMap<string, string>,
) => ReadonlyMap<string, ProposedFile>

function prepareProposals(
  { open, planned, index, tags }: ProposalContext,
  { render, files }: Pick<ProposalTools, 'render' | 'files'>,
  settings: Settings,
): ProposeAll {
  const { articles, taxonomy, assets, readHtml } = open.content
  const { allow } = settings.render
  const schema = createSchema(allow)
  return createProposeAll({
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
      render,
      files,
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
}

type Placed = Pick<LocalArticle, 'source' | 'slug' | 'language'>

interface ProposeAllInput {
  readonly documents: readonly LocalArticle[]
  /** Articles of the target by source. */
  readonly entryOf: ReadonlyMap<string, RemoteEntry>
  readonly links: Pick<LinkBackInput, 'urlOf' | 'findFragment' | 'assets' | 'rootFolders' | 'taxonomyLinks'>
  readonly tools: Omit<ProposalTools, 'referTo' | 'excerpt' | 'linkOf'>
}

/** Returns a function that proposes files, which link to each other with their new paths. Pure. */
function createProposeAll({ documents, entryOf, links, tools }: ProposeAllInput): ProposeAll {
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
        const fileTools = { ...tools, referTo, excerpt: excerpts.get(source), linkOf: linkBack(source) }
        return [source, proposeFile(incoming, fileTools)] as const
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
function nameOriginal(original: string, language: string | null, documents: readonly Placed[]) {
  const slug = documents.find(({ source }) => source === original)?.slug
  if (slug === undefined) return undefined
  const meant = documents.filter((each) => each.slug === slug && each.language !== language)
  return meant.length === 1 ? slug : original
}

interface ProposalTools {
  readonly settings: Pick<Settings, 'defaults' | 'render'>
  readonly render: RenderMarkdown
  /** Reads and writes frontmatter in a format other than our own. */
  readonly files: FrontmatterFiles | undefined
  readonly nameReferences: NameReferences
  readonly toBody: ToBody
  /** Briefly describes the parts of HTML that no file can contain. */
  readonly findLost: (html: string) => readonly string[]
  /** Returns the HTML that is now sent for a document, without the marker. */
  readonly readHtml: (article: LocalArticle) => string
  /** Returns the reference to the original in a new translation. */
  readonly referTo: (original: string, language: string | null) => string | undefined
  /** The excerpt to write, if it differs from the one derived from the text. */
  readonly excerpt: string | undefined
  /** Returns the link to write for a URL in this file. */
  readonly linkOf: LinkOf
}

/** Returns a file with the incoming changes. */
function proposeFile(incoming: Incoming, tools: ProposalTools): ProposedFile {
  return incoming.kind === 'edit' ? proposeEdit(incoming, tools) : proposeArticle(incoming, tools)
}

function proposeEdit(edit: IncomingEdit, tools: ProposalTools): ProposedFile {
  const { article, remote, fields } = edit
  const { excerpt, linkOf, files } = tools
  const names = fields.filter((name) => name !== 'excerpt')
  const changes = {
    ...frontmatterChanges(names, remote.fields, tools.nameReferences(article)),
    ...(excerpt !== undefined && { excerpt }),
  }
  const { text, unwritten } = writeChanges(edit, changes, tools)
  // With a new title, a heading that repeats the old one must change.
  if (!edit.text && !fields.includes('title')) return { text, lost: [], unwritten }
  const sentHtml = tools.readHtml(article)
  const split = files?.split(text.replace(/^\uFEFF/, ''))
  // A text may show values of its frontmatter.
  const data = split?.kind === 'split' ? (split.yaml.value as FrontmatterData | null) : undefined
  const merged = mergeBody(text, {
    title: article.title,
    newTitle: fields.includes('title') ? remote.fields.title : article.title,
    html: edit.text ? edit.html : sentHtml,
    sentHtml,
    linkOf,
    render: (input) => tools.render({ ...input, data: data ?? {} }),
    allow: tools.settings.render.allow,
    dialect: tools.settings.render.dialect,
    files,
  })
  return { ...merged, unwritten }
}

/** Changes a title that comes from the text there, and in the frontmatter only if both are equal. */
function writeChanges(edit: IncomingEdit, changes: FrontmatterChanges, tools: ProposalTools) {
  const { files } = tools
  const { before, source } = edit
  if (Object.keys(changes).length === 0) return { text: before, unwritten: [] }
  if (files === undefined) return { text: editFrontmatter(before, changes), unwritten: [] }
  const { title, ...rest } = changes
  const hasHeading = title !== undefined && isTitledByText(edit, tools)
  return files.edit(before, hasHeading ? rest : changes, source)
}

function isTitledByText(edit: IncomingEdit, { files, render }: ProposalTools): boolean {
  const { before, source, article } = edit
  const split = files?.split(before.replace(/^\uFEFF/, ''))
  if (split?.kind !== 'split' || files?.map(split.yaml, source).isUntitled !== true) return false
  if ((split.yaml.value as FrontmatterData | null)?.['title'] === article.title) return false
  const input = { body: split.body, source, lineOffset: 0, nonce: NONCE }
  const { leadingTitle, headings } = render({ ...input, title: undefined })
  // A heading that is sent is part of the text and keeps its wording.
  return leadingTitle === article.title && headings.length < render({ ...input, title: '' }).headings.length
}

// Nothing rendered with it is stored.
const NONCE = 'title'

function proposeArticle(incoming: IncomingArticle, tools: ProposalTools): ProposedFile {
  const body = tools.toBody(incoming, tools.linkOf)
  const frontmatter = newFrontmatter(incoming, tools)
  const lost = tools.findLost(incoming.html)
  if (tools.files === undefined) return { text: createArticleFile(frontmatter, body), lost }
  const written = tools.files.create(frontmatter, body, incoming.source)
  return { ...written, lost }
}

const NOTHING_WRITTEN = { categories: [], tags: [] }

/** Returns everything known about the article, except what the file implies. */
function newFrontmatter({ source, remote, original }: IncomingArticle, tools: ProposalTools): Frontmatter {
  const { settings, nameReferences, referTo, files, excerpt } = tools
  const { fields, language } = remote
  const written: WrittenNames = nameReferences(NOTHING_WRITTEN)
  const categories = written.categories(fields.categoryIds)
  const tags = written.tags(fields.tagIds)
  const reviewDate = writtenDate(fields.reviewDate)
  const translationOf = original === undefined ? undefined : referTo(original, language)
  return {
    title: fields.title,
    ...(fields.slug !== (files?.slugOf(source) ?? slugOfSource(source)) && { slug: fields.slug }),
    ...(categories.length > 0 && { categories }),
    ...(tags.length > 0 && { tags }),
    ...(excerpt !== undefined && { excerpt }),
    ...((fields.status === 'draft' || fields.status === 'published') && { status: fields.status }),
    ...(reviewDate !== null && { reviewDate }),
    ...(language !== null && { language }),
    ...(translationOf !== undefined && { translationOf }),
    ...(fields.order !== settings.defaults.order && { order: fields.order }),
    ...(fields.hideFromSearch && { hideFromSearch: true }),
    ...(fields.seoBannerUrl !== '' && { seoBannerUrl: fields.seoBannerUrl }),
  }
}

type ToBody = (incoming: IncomingArticle, linkOf: LinkOf) => string

/** Converts a text again only if one of its URLs becomes another link, because files are proposed several times. */
function rememberBodies(convert: (html: string, linkOf: LinkOf) => string): ToBody {
  const known = new Map<
    string,
    { readonly links: ReadonlyMap<string, string | undefined>; readonly body: string }
  >()
  return ({ source, html }, linkOf) => {
    const before = known.get(source)
    if (before !== undefined && [...before.links].every(([url, link]) => linkOf(url) === link))
      return before.body
    const links = new Map<string, string | undefined>()
    const body = convert(html, (url) => {
      const link = linkOf(url)
      links.set(url, link)
      return link
    })
    known.set(source, { links, body })
    return body
  }
}
