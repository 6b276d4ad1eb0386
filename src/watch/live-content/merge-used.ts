import type { UsedAsset } from '../../content/assets/create-asset-reader.ts'

/** Each file once, by source; one that is sent inside some articles and published for others counts as published. */
export function mergeUsed(lists: Iterable<readonly UsedAsset[]>): UsedAsset[] {
  const used = new Map<string, UsedAsset>()
  for (const list of lists)
    for (const asset of list)
      if (asset.published !== undefined || !used.has(asset.source)) used.set(asset.source, asset)
  return [...used.values()].toSorted((a, b) => (a.source < b.source ? -1 : 1))
}
