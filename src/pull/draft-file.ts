import type { Settings } from '../config/settings.ts'
import { slugOfSource } from '../content/build-document.ts'
import type { RenderMarkdown } from '../content/markdown/create-renderer.ts'
import { createArticleFile } from '../content/write-back/file/create-article-file.ts'
import { editFrontmatter } from '../content/write-back/file/edit-frontmatter.ts'
import { mergeBody } from '../content/write-back/body/merge-body.ts'
import type { DesiredArticle, Frontmatter } from '../model/document.ts'
import { frontmatterChanges, type WrittenNames, writtenDate } from './frontmatter-changes.ts'
import type { Incoming, IncomingArticle, IncomingEdit } from './incoming.ts'
import type { LinkOf } from './link-back.ts'
import type { NameReferences } from './name-references.ts'
import type { ToBody } from './remember-bodies.ts'

export interface DraftTools {
  readonly settings: Pick<Settings, 'defaults' | 'render'>
  readonly render: RenderMarkdown
  readonly nameReferences: NameReferences
  readonly toBody: ToBody
  /** What HTML has that no file can hold, each in a few words. */
  readonly findLost: (html: string) => readonly string[]
  /** What is sent of a document now, without marker. */
  readonly readHtml: (article: DesiredArticle) => string
  /** How a new translation names the file of its original. */
  readonly referTo: (original: string, language: string | null) => string | undefined
}

export interface Draft {
  /** The whole file. */
  readonly text: string
  /** What the target has and the file cannot hold, each in a few words. */
  readonly lost: readonly string[]
}

/** A file with what comes in. @param excerpt written down where it is not what the file makes of its text */
export function draftFile(
  incoming: Incoming,
  excerpt: string | undefined,
  linkOf: LinkOf,
  tools: DraftTools,
): Draft {
  return incoming.kind === 'edit'
    ? draftEdit(incoming, excerpt, linkOf, tools)
    : draftArticle(incoming, excerpt, linkOf, tools)
}

function draftEdit(
  edit: IncomingEdit,
  excerpt: string | undefined,
  linkOf: LinkOf,
  tools: DraftTools,
): Draft {
  const { before, article, remote, fields } = edit
  const names = fields.filter((name) => name !== 'excerpt')
  const changes = {
    ...frontmatterChanges(names, remote.fields, tools.nameReferences(article)),
    ...(excerpt !== undefined && { excerpt }),
  }
  const text = Object.keys(changes).length === 0 ? before : editFrontmatter(before, changes)
  // With a new title, a heading in the text that repeats the old one must follow.
  if (!edit.text && !fields.includes('title')) return { text, lost: [] }
  const sentHtml = tools.readHtml(article)
  return mergeBody(text, {
    title: article.title,
    newTitle: fields.includes('title') ? remote.fields.title : article.title,
    html: edit.text ? edit.html : sentHtml,
    sentHtml,
    linkOf,
    render: tools.render,
    allow: tools.settings.render.allow,
  })
}

function draftArticle(
  incoming: IncomingArticle,
  excerpt: string | undefined,
  linkOf: LinkOf,
  tools: DraftTools,
): Draft {
  const body = tools.toBody(incoming, linkOf)
  const text = createArticleFile(newFrontmatter(incoming, excerpt, tools), body)
  return { text, lost: tools.findLost(incoming.html) }
}

const NOTHING_WRITTEN = { categories: [], tags: [] }

/** Everything that is known of the article, but what the file says without it. */
function newFrontmatter(
  { source, remote, original }: IncomingArticle,
  excerpt: string | undefined,
  { settings, nameReferences, referTo }: DraftTools,
): Frontmatter {
  const { fields, language } = remote
  const written: WrittenNames = nameReferences(NOTHING_WRITTEN)
  const categories = written.categories(fields.categoryIds)
  const tags = written.tags(fields.tagIds)
  const reviewDate = writtenDate(fields.reviewDate)
  const translationOf = original === undefined ? undefined : referTo(original, language)
  return {
    title: fields.title,
    ...(fields.slug !== slugOfSource(source) && { slug: fields.slug }),
    ...(categories.length > 0 && { categories }),
    ...(tags.length > 0 && { tags }),
    ...(excerpt !== undefined && { excerpt }),
    ...(isStatus(fields.status) && { status: fields.status }),
    ...(reviewDate !== null && { reviewDate }),
    ...(language !== null && { language }),
    ...(translationOf !== undefined && { translationOf }),
    ...(fields.order !== settings.defaults.order && { order: fields.order }),
    ...(fields.hideFromSearch && { hideFromSearch: true }),
    ...(fields.seoBannerUrl !== '' && { seoBannerUrl: fields.seoBannerUrl }),
  }
}

function isStatus(status: string): status is 'draft' | 'published' {
  return status === 'draft' || status === 'published'
}
