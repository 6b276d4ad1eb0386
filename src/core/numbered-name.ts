/** Matches `01-intro` as the number 1 and `intro`. Dates and versions do not count as numbers. */
const PREFIX = /^(\d+)\s*[-_.]+\s*([^-_.\s].*)$/
const DATE_OR_VERSION = /^\d+[-_.]\d+/

export function withoutNumber(name: string): string {
  return split(name)?.rest ?? name
}

export function numberOf(name: string): number | undefined {
  return split(name)?.number
}

function split(name: string): { readonly number: number; readonly rest: string } | undefined {
  if (DATE_OR_VERSION.test(name)) return undefined
  const [, number, rest] = PREFIX.exec(name) ?? []
  return number === undefined || rest === undefined ? undefined : { number: Number(number), rest }
}

/** Acronyms that are no words; a few are words of other languages, which hardly begin a name. */
const ACRONYM =
  /(?<![\p{L}\p{N}])(?:^(?:ai|ci|sla)|apis?|aws|cli|cpu|css|csv|dns|faqs?|gdpr|gpu|html|https?|ip|json|jwt|ldap|mfa|pdf|rbac|saml|sdks?|seo|smtp|sql|ssh|ssl|sso|svg|tcp|tls|udp|ui|urls?|usb|ux|vpn|xml|yaml)(?![\p{L}\p{N}])/gu

/**
 * Turns `01-getting-started` into a readable name: `Getting started`, and `cli-api` into `CLI API`. Dates and ranges keep
 * their hyphens. The id that Notion adds to names when it exports them is left out.
 */
export function humanise(name: string): string {
  const words = withoutNumber(name)
    .replace(/^\(([^()]+)\)$/, '$1')
    .replace(/(?<=\S) [\da-f]{32}$/, '')
    .replaceAll(/(?<!\d(?=-\d))[-_\s]+/g, ' ')
    .trim()
    .replaceAll(ACRONYM, (word) => word.toUpperCase().replace(/(?<=API|FAQ|SDK|URL)S$/, 's'))
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
