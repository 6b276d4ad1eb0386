import type { AstroConfig } from './astro-types.ts'
import { astroError } from './content-error.ts'
import type { LiveFeed } from './live-feed.ts'

/** What an integration lends to the loaders of its site. */
export interface OfferedContent {
  readonly feed: LiveFeed
  readonly mode: 'build' | 'dev'
  /** As the integration was told. */
  readonly config: string | undefined
}

// Integrations may have hooks that other parts call: so a loader finds the integrations of its site.
const HOOK = 'kb-sync:content'

// The one thing that is kept for the whole process: Astro 7 starts its dev server again with new integrations and tells
// those of before nothing, while its collections go on with them. So they offer what the latest one has.
const latest = new Map<string, OfferedContent>()

/** A hook for the integration. @param keyOf see `placeOf` */
export function contentHook(keyOf: () => string): Record<string, unknown> {
  return { [HOOK]: () => latest.get(keyOf()) }
}

/** Tells the integration with this hook from those of other sites and others of its site, whatever its options are. */
export function placeOf({ root, integrations }: AstroConfig, hook: Record<string, unknown>): string {
  const hooks = integrations.map((each) => each.hooks[HOOK]).filter((each) => typeof each === 'function')
  return `${root.href}#${hooks.findIndex((each) => each === hook[HOOK])}`
}

/** Whether something is offered. @param key see `placeOf` */
export function isOffered(key: string): boolean {
  return latest.has(key)
}

/** Offers the content instead of what was offered before, to the same collections. @param key see `placeOf` */
export async function offerContent(key: string, content: OfferedContent): Promise<void> {
  const before = latest.get(key)
  if (before === content) return
  latest.set(key, content)
  // Astro starts no collection again where one integration takes over from another.
  for (const [name, take] of before?.feed.takers ?? []) content.feed.subscribe(name, take)
  await before?.feed.close()
}

/** Ends what is offered. */
export async function withdrawContent(key: string): Promise<void> {
  const content = latest.get(key)
  latest.delete(key)
  await content?.feed.close()
}

/**
 * The content that an integration of the site offers.
 *
 * @param config which one, where there are several
 * @throws an error of Astro where there is none, or no telling which one is meant
 */
export async function findOfferedContent(
  { integrations }: AstroConfig,
  config: string | undefined,
): Promise<OfferedContent> {
  const offered = integrations.flatMap(({ hooks }) => (hooks[HOOK] as OfferHook | undefined)?.() ?? [])
  const meant = config === undefined ? offered : offered.filter((each) => each.config === config)
  const [content] = meant
  if (content !== undefined && meant.length === 1) return content
  if (offered.length === 0)
    throw await astroError(
      'A collection gets its content from the integration of kb-sync, which is missing.',
      'Add kb() of kb-sync/astro to the integrations in astro.config.',
    )
  throw await astroError(
    config === undefined
      ? 'There are several integrations of kb-sync, and a loader does not name one.'
      : `No integration of kb-sync has the configuration ${JSON.stringify(config)}.`,
    `Name the same file in both: kb({ config: … }) and kbLoader({ config: … }).`,
  )
}

type OfferHook = () => OfferedContent | undefined
