import type { ContentReading } from '../adapter/adapter.ts'
import { contentError, toAstroError } from './content-error.ts'
import type { OfferedContent } from './offered-content.ts'

/**
 * The content for pages to be made of.
 *
 * @throws an error of Astro where it cannot be read, and in a build where something is wrong with it
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
