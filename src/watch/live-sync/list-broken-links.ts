import { readableAddress } from '../../content/link-occurrences/decode-written-url.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { TargetSession } from '../../sync/target-session.ts'

/** A link that the target reports as broken ("List links" in the specification), and its article. */
export interface BrokenLink {
  /** With HTML entities resolved. */
  readonly url: string
  /** '' if the target does not send it. */
  readonly title: string
  /** Source of the article; undefined if it is not of this project. */
  readonly source: string | undefined
}

/** Lists the broken links. A link without a status counts as working. Throws what the client throws. */
export async function listBrokenLinks(
  { client }: TargetSession,
  state: TargetState | undefined,
): Promise<readonly BrokenLink[]> {
  const sources = new Map(state?.articles.map(({ id, source }) => [id, source]))
  return client.streamLinks(() => {
    const broken: BrokenLink[] = []
    return {
      add: ({ working, url = '', article_id: id, articles }) => {
        if (working === false)
          broken.push({ url: readableAddress(url), title: articles?.name ?? '', source: sources.get(id) })
      },
      end: () => broken,
    }
  })
}
