import type { AstroConfig } from './astro-types.ts'
import type { ContentReading } from '../adapter/adapter.ts'
import { astroError, contentError, toAstroError } from './content-error.ts'
import type { LiveFeed } from './live-feed.ts'

/** The content that an integration shares with the loaders of its site. */
export interface OfferedContent {
  readonly feed: LiveFeed
  readonly mode: 'build' | 'dev'
  readonly config: string | undefined
}

// Integrations may have custom hooks. A loader finds the integrations of its site by this one.
const HOOK = 'kb-sync:content'

// The only state of the process: Astro 7 restarts its dev server with new integrations without notifying the old ones,
// while its collections keep using those. So the old ones share the content of the latest one.
const latest = new Map<string, OfferedContent>()

/** Creates the hook of the integration. @param keyOf see `placeOf` */
export function contentHook(keyOf: () => string): Record<string, unknown> {
  return { [HOOK]: () => latest.get(keyOf()) }
}

/** Identifies the integration with this hook among those of all sites, regardless of its options. */
export function placeOf({ root, integrations }: AstroConfig, hook: Record<string, unknown>): string {
  const hooks = integrations.map((each) => each.hooks[HOOK]).filter((each) => typeof each === 'function')
  return `${root.href}#${hooks.findIndex((each) => each === hook[HOOK])}`
}

/** True if content is shared. @param key see `placeOf` */
export function isOffered(key: string): boolean {
  return latest.has(key)
}

/** Replaces the shared content, for the same collections. @param key see `placeOf` */
export async function offerContent(key: string, content: OfferedContent): Promise<void> {
  const before = latest.get(key)
  if (before === content) return
  latest.set(key, content)
  // Astro does not restart collections when one integration replaces another.
  for (const [name, take] of before?.feed.listeners ?? []) content.feed.subscribe(name, take)
  await before?.feed.close()
}

export async function withdrawContent(key: string): Promise<void> {
  const content = latest.get(key)
  latest.delete(key)
  await content?.feed.close()
}

/**
 * Finds the content that an integration of the site shares.
 *
 * @param config of the integration, if there are several
 * @throws an Astro error if there is none, or if the choice is ambiguous
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

/**
 * Reads the content for pages.
 *
 * @throws an Astro error if it cannot be read, and in a build if it has errors
 */
export async function readOfferedContent({ feed, mode }: OfferedContent): Promise<ContentReading> {
  const { adapter } = feed
  const reading = await adapter.read().catch(async (error: unknown) => {
    throw await toAstroError(error)
  })
  const failure = mode === 'build' ? adapter.failureOf(reading) : undefined
  if (failure === undefined) return reading
  await feed.close()
  throw await contentError(failure, 'terminal')
}
