import type { Settings } from '../../core/config/settings.ts'
import { createSchema } from '../../content/markdown/allow-schema.ts'
import { findLostParts } from '../body/lost-parts.ts'
import { htmlToMarkdown } from '../../content/write-back/html/html-to-markdown.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { TaxonomyIndex } from '../../sync/plan/taxonomy/taxonomy-index.ts'
import { contentPrefix } from '../../sync/content-project.ts'
import type { PlannedRun } from '../../sync/planning/planned-run.ts'
import { createDraftChecker } from './check-drafts.ts'
import { createDraftAll } from './draft-all.ts'
import { createFindFragment } from './find-fragment.ts'
import type { Incoming } from './incoming.ts'
import { createNameReferences } from './name-references.ts'
import type { PullContext } from './pull-context.ts'
import { rememberBodies } from './remember-bodies.ts'
import { settleDrafts } from './settle-drafts.ts'
import { createTaxonomyAddresses } from './taxonomy-addresses.ts'

interface DraftContext extends PullContext {
  readonly planned: PlannedRun
  readonly index: TaxonomyIndex
  /** Tags of the target, as far as articles name them. */
  readonly tags: RemoteArticle['tags']
}

/** Drafts and checks what comes in. Writes nothing. */
export async function draftIncoming(
  incoming: readonly Incoming[],
  { open, found, hashes, planned, index, tags }: DraftContext,
  settings: Settings,
): ReturnType<typeof settleDrafts> {
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
  return settleDrafts({ incoming, draftAll, check: checker.check, contentPrefix: contentPrefix(settings) })
}
