// Of lists with many addresses most of the time would go into parsing: what is plainly written needs none.
const PLAIN = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z]+)(?:[/?#]|$)/
/** What a parser looks at more closely: names in another script. */
const ENCODED = 'xn--'

/** Host (with its port, if it names one) of a web address; '' for one within the site and for what is no address. */
export function hostOf(address: string): string {
  const plain = PLAIN.exec(address)?.[1]
  if (plain !== undefined && !plain.includes(ENCODED)) return plain
  return URL.canParse(address) ? new URL(address).host : ''
}
