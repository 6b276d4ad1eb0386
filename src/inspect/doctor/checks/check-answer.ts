import type { ApiClient } from '../../../api/client/create-client.ts'
import type { RemoteTargetSettings, Settings } from '../../../core/config/settings.ts'
import { readRemoteLists, type RemoteLists } from '../../../sync/remote/list-articles.ts'
import { failureOf, type Finding, ok, warning } from '../finding.ts'

/** An answer that takes this long makes a sync tedious. */
const SLOW_MS = 3000

export interface CheckedAnswer {
  readonly finding: Finding
  /** Undefined where the target did not give them. */
  readonly lists: RemoteLists | undefined
}

/** Asks for the two lists that every run needs: what stands in the way of them stands in the way of a sync. */
export async function checkAnswer(
  client: ApiClient,
  target: RemoteTargetSettings,
  settings: Settings,
  now: () => Date,
): Promise<CheckedAnswer> {
  const startedMs = now().getTime()
  try {
    const lists = await readRemoteLists(client, settings.defaultLanguage)
    const tookMs = now().getTime() - startedMs
    return { finding: judgeTime(tookMs, target, settings), lists }
  } catch (error) {
    return { finding: failureOf('connection.answer', error), lists: undefined }
  }
}

function judgeTime(tookMs: number, { url }: RemoteTargetSettings, { sync }: Settings): Finding {
  const message = `${url} accepts the key and gave both lists, in ${tookMs} ms`
  if (tookMs < SLOW_MS) return ok('connection.answer', message)
  const hint =
    tookMs * 2 > sync.timeoutMs
      ? `Raise sync.timeout, which is ${sync.timeoutMs / 1000}s, or runs will be cut off.`
      : 'A sync will take its time; if it stays like this, ask the operator of the target.'
  return warning('connection.answer', `${message}, which is slow.`, hint)
}
