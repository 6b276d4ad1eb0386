// As `mapSrcset` reads it: an address without white space that neither begins nor ends with a comma.
const CANDIDATE = /([^\s,]\S*[^\s,]|[^\s,])(\s+[^,]*)?(?=,|\s*$)/g

/** The addresses in a `srcset`, each with its offset. */
export function srcsetAddresses(srcset: string): { readonly at: number; readonly address: string }[] {
  return [...srcset.matchAll(CANDIDATE)].map(({ index, 1: address = '' }) => ({ at: index, address }))
}
