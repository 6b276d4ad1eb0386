// The rules of single fields, written by hand from the specification and the decisions of the service.

/** A rule that a request breaks: the status that says so, and what its message must contain. */
export interface Breach {
  readonly status: number
  readonly says: string
}

type Rule = (value: unknown) => boolean
type Rules = Readonly<Record<string, { readonly required: boolean; readonly holds: Rule }>>

/** Review dates as they may be written, and what they mean. Whatever is not here is to be refused. */
export const REVIEW_DATES: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['9999-12-31', '9999-12-31T00:00:00.000Z'],
  ['2027-01-31T10:00:00Z', '2027-01-31T10:00:00.000Z'],
  ['2027-01-31T10:00:00.123Z', '2027-01-31T10:00:00.123Z'],
  ['2027-01-31T01:30:00+02:00', '2027-01-30T23:30:00.000Z'],
  ['2027-01-31T23:59:59-05:30', '2027-02-01T05:29:59.000Z'],
  ['2027-01-31T10:00:00', '2027-01-31T10:00:00.000Z'],
  ['2027-01-31T10:00Z', '2027-01-31T10:00:00.000Z'],
  ['2027-01-31T10:00', '2027-01-31T10:00:00.000Z'],
  ['9999-12-31T23:30:00', '9999-12-31T23:30:00.000Z'],
  ['0000-01-01T00:30:00', '0000-01-01T00:30:00.000Z'],
])

const text: Rule = (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
const name: Rule = (value) => text(value) && (value as string).trim() !== ''
const word: Rule = (value) => typeof value === 'string' && value !== ''
const slug: Rule = (value) => {
  const length = typeof value === 'string' ? Array.from(value).length : 0
  return text(value) && length >= 1 && length <= 200 && !/[\s/?#]/u.test(value as string)
}
const webUrl: Rule = (value) => {
  if (!text(value) || /[\s\p{Cc}]/u.test(value as string)) return false
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value as string)?.[1]
  return scheme === undefined || /^https?:\/\//i.test(value as string)
}
const pictureUrl: Rule = (value) =>
  webUrl(value) || (text(value) && /^data:image\/[^\s\p{Cc}]*$/iu.test(value as string))
const number: Rule = (value) => typeof value === 'number' && Number.isFinite(value)
const references: Rule = (value) =>
  Array.isArray(value) &&
  value.every(
    (each: unknown) => typeof each === 'object' && each !== null && 'value' in each && word(each.value),
  )

const must = (holds: Rule) => ({ required: true, holds })
const may = (holds: Rule) => ({ required: false, holds })

const ARTICLE: Rules = {
  title: must(name),
  slug: must(slug),
  categories: must(references),
  tags: may(references),
  excerpt: must((value) => text(value) && Array.from(value as string).length <= 160),
  ordering: must(number),
  status: must((value) => value === 'draft' || value === 'published'),
  content: must(text),
  hideFromSearch: may((value) => typeof value === 'boolean'),
  seoBannerUrl: may(webUrl),
  articleReviewDate: may((value) => typeof value === 'string' && REVIEW_DATES.has(value)),
  lang: may(word),
  languageParent: may(text),
}

const CATEGORY: Rules = {
  name: must(name),
  slug: must(slug),
  priority: must(number),
  categoryParent: may(text),
  description: may(text),
  longDescription: may(text),
  thumbnailUrl: may(pictureUrl),
  iconUrl: may(pictureUrl),
  lang: must(word),
}

const TAG: Rules = {
  id: must(word),
  name: must(name),
  slug: must(slug),
  description: may(text),
  longDescription: may(text),
  lang: must(word),
}

export const articleBreaches = (body: unknown) => breachesOf(ARTICLE, body)
export const categoryBreaches = (body: unknown) => breachesOf(CATEGORY, body)
export const tagBreaches = (body: unknown) => breachesOf(TAG, body)

function breachesOf(rules: Rules, body: unknown): Breach[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return [{ status: 400, says: 'body' }]
  }
  const members = body as Readonly<Record<string, unknown>>
  return Object.entries(rules)
    .filter(([field, { required, holds }]) =>
      members[field] === undefined ? required : !holds(members[field]),
    )
    .map(([field]) => ({ status: 400, says: field }))
}
