import type { ApiClient } from '../../client/create-client.ts'
import type { TargetState } from '../../model/target-state.ts'
import { type Offers, readOffers } from '../../plan/offers.ts'

/** What a target offers beyond the documented interface; asked for only when a write would use it. */
export interface Extensions {
  /** One request in each run. A target that gives no answer offers what it did when it last gave one. */
  readonly ask: () => Promise<Offers>
  /** The names that the target announced; undefined until it was asked. */
  readonly known: () => readonly string[] | undefined
}

export function createExtensions(
  client: Pick<ApiClient, 'fetchExtensions'>,
  { extensions: remembered }: Pick<TargetState, 'extensions'>,
): Extensions {
  let asked: Promise<readonly string[]> | undefined
  let names: readonly string[] | undefined
  async function fetchNames(): Promise<readonly string[]> {
    names = (await client.fetchExtensions()) ?? remembered
    return names ?? []
  }
  return {
    ask: async () => readOffers(await (asked ??= fetchNames())),
    known: () => names,
  }
}
