// A candidate is an address without white space that neither begins nor ends with a comma, then what it is for.
const CANDIDATE = /([^\s,]\S*[^\s,]|[^\s,])(\s+[^,]*)?(?=,|\s*$)/g

/** `srcset` with every address replaced by what `map` makes of it; a candidate without address is left out. */
export function mapSrcset(srcset: string, map: (url: string) => string | undefined): string {
  const candidates: string[] = []
  for (const [, url = '', descriptor = ''] of srcset.matchAll(CANDIDATE)) {
    const mapped = map(url)
    if (mapped !== undefined) candidates.push(`${mapped} ${descriptor.trim()}`.trim())
  }
  return candidates.join(', ')
}
