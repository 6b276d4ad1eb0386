import type { IgnoredLines } from '../markdown/ignore-comments.ts'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import type { LocalCategory, LocalTaxonomy, TaxonomyTexts } from '../../core/model/taxonomy.ts'
import { digest } from '../../core/digest.ts'
import type { FoundSources } from '../source/find-sources.ts'
import { loadCategories, type LinkedTexts, loadTags } from './load-taxonomy-entries.ts'
import type { RenderMarkdown } from '../markdown/create-renderer.ts'
import type { LocatedUrl, RenderedBody, Slot } from '../markdown/rendered-body.ts'
import { joinTemplate } from '../markdown/slot-template.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import type { LinkedSlot } from '../links/resolved-link.ts'

/**
 * The taxonomy files before images and links in long descriptions are resolved, because these may lead to articles and
 * to each other.
 */
export interface TaxonomyDraft {
  /** Names, slugs and paths are final; long descriptions and images are placeholders. */
  readonly taxonomy: LocalTaxonomy
  readonly problems: readonly SourceProblem[]
  /** Links to other sites in long descriptions, with their file. */
  readonly externals: readonly { readonly source: string; readonly link: LocatedUrl }[]
  readonly descriptions: ReadonlyMap<string, Description>
}

interface Description {
  /** Undefined language: the default language. */
  readonly origin: { readonly source: string; readonly language: string | undefined }
  /** Position of the whole description. Undefined: each link has its own. */
  readonly place: Span | undefined
  readonly body: Pick<RenderedBody, 'html' | 'slots'>
}

/** A description in a taxonomy file. */
interface RenderedDescription extends Description {
  readonly place: Span
  readonly body: Pick<RenderedBody, 'html' | 'slots' | 'problems' | 'externals' | 'ignored'>
}

type ResolveSlot = (slot: Slot, origin: Description['origin']) => Pick<LinkedSlot, 'link' | 'url'>

/** Reads the existing taxonomy files. Long descriptions are Markdown. */
export function draftTaxonomy(
  { contentRoot }: { readonly contentRoot: string },
  found: FoundSources,
  render: RenderMarkdown,
): TaxonomyDraft {
  const names = new Set(found.taxonomy.map(({ source }) => source))
  const problems: SourceProblem[] = []
  const descriptions = new Map<string, RenderedDescription>()
  const load = <Entry>(source: string, read: ReadEntries<Entry>): readonly Entry[] | undefined => {
    if (!names.has(source)) return undefined
    const loaded = read(contentRoot, keepTexts(source, render, descriptions))
    for (const problem of loaded.problems) problems.push({ source, problem })
    return loaded.entries
  }
  const categories = load('_categories.yml', loadCategories)
  const tags = load('_tags.yml', loadTags)
  for (const { origin, place, body } of descriptions.values())
    for (const problem of [...body.problems, ...(body.ignored ?? []).map(ignoredInVain)])
      problems.push(placed(problem, origin.source, place))
  return {
    taxonomy: { categories, tags },
    problems,
    externals: [...descriptions.values()].flatMap(({ origin: { source }, place, body }) =>
      body.externals.map(({ url }) => ({ source, link: { url, ...place } })),
    ),
    descriptions,
  }
}

/** Resolves images and links of long descriptions. Returns the taxonomy and their problems. */
export function finishTaxonomy(
  { taxonomy, descriptions }: Pick<TaxonomyDraft, 'taxonomy' | 'descriptions'>,
  resolve: ResolveSlot,
): { readonly taxonomy: LocalTaxonomy; readonly problems: readonly SourceProblem[] } {
  const problems: SourceProblem[] = []
  const htmlOf = (standIn: string | undefined): string | undefined => {
    const description = standIn === undefined ? undefined : descriptions.get(standIn)
    if (description === undefined) return standIn
    const { body, origin, place } = description
    const linked = body.slots.map((slot) => resolve(slot, origin))
    for (const { problem } of linked.map(({ link }) => link))
      if (problem !== undefined)
        problems.push(
          place === undefined ? { source: origin.source, problem } : placed(problem, origin.source, place),
        )
    const [first] = linked
    if (body.slots[0]?.kind === 'picture') return first?.link.kind === 'url' ? first.url : undefined
    return joinTemplate(
      body.html,
      linked.map(({ url }) => url),
    )
  }
  const finish = <Entry extends Texts>(entry: Entry): Entry => ({
    ...entry,
    longDescription: htmlOf(entry.longDescription),
    translations: Object.fromEntries(
      Object.entries(entry.translations).map(([language, texts]) => [
        language,
        { ...texts, longDescription: htmlOf(texts.longDescription) },
      ]),
    ),
  })
  const { categories, tags } = taxonomy
  const show = ({ thumbnailUrl, iconUrl, ...entry }: LocalCategory): LocalCategory => ({
    ...entry,
    thumbnailUrl: htmlOf(thumbnailUrl),
    iconUrl: htmlOf(iconUrl),
  })
  return { taxonomy: { categories: categories?.map(finish).map(show), tags: tags?.map(finish) }, problems }
}

interface Texts {
  readonly longDescription: string | undefined
  readonly translations: Readonly<Record<string, TaxonomyTexts>>
}

type ReadEntries<Entry> = (
  contentRoot: string,
  linked: LinkedTexts,
) => { readonly entries: readonly Entry[] | undefined; readonly problems: readonly Problem[] }

function keepTexts(
  source: string,
  render: RenderMarkdown,
  descriptions: Map<string, RenderedDescription>,
): LinkedTexts {
  const keep = (body: RenderedDescription['body'], at: Span, language?: string) => {
    const standIn = `description ${descriptions.size}`
    // Positions inside a YAML scalar are not those of the file, so its first line is used.
    const place = at.end?.line === at.line ? at : { line: at.line, column: at.column }
    descriptions.set(standIn, { origin: { source, language }, place, body })
    return standIn
  }
  return {
    describe: (markdown, at, language) =>
      keep(render({ body: markdown, title: '', lineOffset: 0, nonce: digest(markdown) }), at, language),
    show: (url, at) => keep({ ...NO_TEXT, slots: [{ kind: 'picture', url, ...at }] }, at),
  }
}

const NO_TEXT = { html: [], problems: [], externals: [] }

/** For the same reason, nothing in it can be ignored by line. */
function ignoredInVain({ code, line, column }: IgnoredLines): Problem {
  return {
    code: 'ignore-invalid',
    message: `A comment in a long description cannot ignore ${code}.`,
    hint: 'Remove it, and set the rule for this file in overrides.',
    line,
    column,
  }
}

/** For the same reason, nothing in it can be fixed. */
function placed({ code, message, hint }: Problem, source: string, place: Span): SourceProblem {
  return { source, problem: { code, message, ...(hint !== undefined && { hint }), ...place } }
}
