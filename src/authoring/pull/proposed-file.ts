import type { Settings } from '../../core/config/settings.ts'
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
import type { LocalArticle, Frontmatter } from '../../core/model/document.ts'
import {
  frontmatterChanges,
  type WrittenNames,
  writtenDate,
  type NameReferences,
} from './frontmatter-changes.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { FieldName } from '../../core/model/article-fields.ts'

/** An edit on the target to be written to a file. */
export interface IncomingEdit {
  readonly kind: 'edit'
  readonly source: string
  /** The file's text as read. */
  readonly before: string
  readonly article: LocalArticle
  readonly remote: RemoteArticle
  /** The HTML on the target. */
  readonly html: string
  readonly fields: readonly FieldName[]
  readonly text: boolean
  /** True if the user allowed overwriting something in the file. */
  readonly isForced: boolean
  /** True if parts that the file cannot contain may be left out. */
  readonly mayLose: boolean
}

/** An article of the target that becomes a new file. */
export interface IncomingArticle {
  readonly kind: 'new'
  readonly source: string
  readonly remote: RemoteArticle
  readonly html: string
  /** Source of the file of its original. */
  readonly original: string | undefined
}

export type Incoming = IncomingEdit | IncomingArticle

/** Returns the excerpt to write, or undefined if the file determines it. */
export function excerptOf(incoming: Incoming): string | undefined {
  const isTaken = incoming.kind === 'new' || incoming.fields.includes('excerpt')
  return isTaken ? incoming.remote.fields.excerpt : undefined
}

export interface ProposalTools {
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
}

export interface ProposedFile {
  /** The whole file. */
  readonly text: string
  /** Descriptions of the parts on the target that the file cannot contain. */
  readonly lost: readonly string[]
  /** Fields that the user's frontmatter mapping cannot write. */
  readonly unwritten?: readonly string[] | undefined
}

/** Returns a file with the incoming changes. `excerpt` is written if it differs from the one derived from the text. */
export function proposeFile(
  incoming: Incoming,
  excerpt: string | undefined,
  linkOf: LinkOf,
  tools: ProposalTools,
): ProposedFile {
  return incoming.kind === 'edit'
    ? proposeEdit(incoming, excerpt, linkOf, tools)
    : proposeArticle(incoming, excerpt, linkOf, tools)
}

function proposeEdit(
  edit: IncomingEdit,
  excerpt: string | undefined,
  linkOf: LinkOf,
  tools: ProposalTools,
): ProposedFile {
  const { article, remote, fields } = edit
  const names = fields.filter((name) => name !== 'excerpt')
  const changes = {
    ...frontmatterChanges(names, remote.fields, tools.nameReferences(article)),
    ...(excerpt !== undefined && { excerpt }),
  }
  const { text, unwritten } = writeChanges(edit, changes, tools)
  // With a new title, a heading that repeats the old one must change.
  if (!edit.text && !fields.includes('title')) return { text, lost: [], unwritten }
  const sentHtml = tools.readHtml(article)
  const { files } = tools
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
function writeChanges(
  { before, source, article }: IncomingEdit,
  changes: FrontmatterChanges,
  tools: ProposalTools,
) {
  const { files } = tools
  if (Object.keys(changes).length === 0) return { text: before, unwritten: [] }
  if (files === undefined) return { text: editFrontmatter(before, changes), unwritten: [] }
  const { title, ...rest } = changes
  const hasHeading = title !== undefined && isTitledByText(before, source, article.title, tools)
  return files.edit(before, hasHeading ? rest : changes, source)
}

function isTitledByText(
  before: string,
  source: string,
  title: string,
  { files, render }: Pick<ProposalTools, 'files' | 'render'>,
): boolean {
  const split = files?.split(before.replace(/^\uFEFF/, ''))
  if (split?.kind !== 'split' || files?.map(split.yaml, source).isUntitled !== true) return false
  if ((split.yaml.value as FrontmatterData | null)?.['title'] === title) return false
  const input = { body: split.body, source, lineOffset: 0, nonce: NONCE }
  const { leadingTitle, headings } = render({ ...input, title: undefined })
  // A heading that is sent is part of the text and keeps its wording.
  return leadingTitle === title && headings.length < render({ ...input, title: '' }).headings.length
}

// Nothing rendered with it is stored.
const NONCE = 'title'

function proposeArticle(
  incoming: IncomingArticle,
  excerpt: string | undefined,
  linkOf: LinkOf,
  tools: ProposalTools,
): ProposedFile {
  const body = tools.toBody(incoming, linkOf)
  const frontmatter = newFrontmatter(incoming, excerpt, tools)
  const lost = tools.findLost(incoming.html)
  if (tools.files === undefined) return { text: createArticleFile(frontmatter, body), lost }
  const written = tools.files.create(frontmatter, body, incoming.source)
  return { ...written, lost }
}

const NOTHING_WRITTEN = { categories: [], tags: [] }

/** Returns everything known about the article, except what the file implies. */
function newFrontmatter(
  { source, remote, original }: IncomingArticle,
  excerpt: string | undefined,
  { settings, nameReferences, referTo, files }: ProposalTools,
): Frontmatter {
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
export function rememberBodies(convert: (html: string, linkOf: LinkOf) => string): ToBody {
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
