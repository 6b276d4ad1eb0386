import type { ContentReading } from '../adapter/adapter.ts'
import { contentError, toAstroError } from './content-error.ts'
import type { OfferedContent } from './offered-content.ts'

/**
 * Reads the content for pages.
 *
 * @throws an Astro error if it cannot be read, and in a build if it has errors
 */
export async function readSound({ feed, mode }: OfferedContent): Promise<ContentReading> {
  const { adapter } = feed
  const reading = await adapter.read().catch(async (error: unknown) => {
    throw await toAstroError(error)
  })
  const failure = mode === 'build' ? adapter.failureOf(reading) : undefined
  if (failure === undefined) return reading
  await feed.close()
  throw await contentError(failure, 'terminal')
}
