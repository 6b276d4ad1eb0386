// What may happen to a knowledge base, as values that fast-check can make and make smaller. Items are named by where
// to look for them and a number: which one that is, is known once the history runs.
import * as fc from 'fast-check'
import { REVIEW_DATES } from '../support/service-fields.ts'

/** An item of the caller's site, of the other site, one that was deleted, or none. */
export interface Which {
  readonly from: 'own' | 'other' | 'gone' | 'nowhere'
  readonly index: number
}

/** A field that is given another value, or left out where it is undefined. */
interface Spoil {
  readonly field: string
  readonly value: unknown
}

export interface ArticleWords {
  readonly title: string
  readonly slug: string
  readonly categories: readonly Which[]
  readonly tags: readonly Which[] | undefined
  readonly excerpt: string
  readonly ordering: number
  readonly status: 'draft' | 'published'
  readonly pieces: readonly number[]
  readonly hideFromSearch: boolean | undefined
  readonly seoBannerUrl: string | undefined
  readonly articleReviewDate: string | undefined
  readonly lang: string | undefined
  readonly languageParent: Which | '' | undefined
}

export interface TaxonWords {
  readonly name: string
  readonly slug: string
  readonly priority: number
  readonly parent: Which | '' | undefined
  readonly description: string | undefined
  readonly longDescription: string | undefined
  readonly lang: string
}

type Does =
  | { readonly kind: 'create'; readonly words: ArticleWords; readonly spoils: readonly Spoil[] }
  | {
      readonly kind: 'update'
      readonly which: Which
      readonly words: ArticleWords
      readonly spoils: readonly Spoil[]
    }
  | { readonly kind: 'delete' | 'read-tag'; readonly which: Which; readonly lang: string | undefined }
  | { readonly kind: 'read'; readonly which: Which; readonly lang: string | undefined }
  | { readonly kind: 'list-categories' | 'list-review-dates' | 'list-links' | 'options' }
  | {
      readonly kind: 'update-category' | 'update-tag'
      readonly which: Which
      readonly words: TaxonWords
      readonly spoils: readonly Spoil[]
    }

export interface Step {
  readonly does: Does
  readonly key: 'writer' | 'reader' | 'revoked' | 'unknown' | 'none'
  readonly site: 0 | 1
  /** How far the clock goes before; it may be set back. */
  readonly passedMs: number
}

export const LANGUAGES = ['en', 'fr', 'pt-BR'] as const

/** Pieces of HTML, and what the link manager must find in them. */
export const PIECES: readonly { readonly html: string; readonly links: readonly string[] }[] = [
  { html: '<p>Only text.</p>', links: [] },
  { html: '<a href="https://example.com/a?x=1&amp;y=2">a</a>', links: ['https://example.com/a?x=1&y=2'] },
  { html: '<A HREF=http://example.com/b>b</A>', links: ['http://example.com/b'] },
  { html: "<p><img alt='' src='/images/c.png'></p>", links: ['/images/c.png'] },
  { html: '<a class="x" href="../other#part">d</a>', links: ['../other#part'] },
  { html: '<a href="//host.example/e">e</a>', links: ['//host.example/e'] },
  { html: '<a href="#top">top</a><a name="x">none</a><a href="">none</a>', links: [] },
  { html: '<a href="mailto:a@example.com">mail</a><a href="JavaScript:void(0)">run</a>', links: [] },
  { html: '<img src="data:image/png;base64,AAAA"><a href="tel:123">call</a>', links: [] },
  { html: '<!-- <a href="/commented">no</a> -->', links: [] },
  { html: '<script>const x = "<a href=\'/scripted\'>no</a>"</script>', links: [] },
  { html: '<a href=" /spaced ">s</a>', links: ['/spaced'] },
  { html: '<a href="/u/gr%C3%BC%C3%9Fe">ü</a><a href="/ü">ü</a>', links: ['/u/gr%C3%BC%C3%9Fe', '/ü'] },
  { html: 'text that ends in <b>nothing', links: [] },
]

const index = fc.nat(5)
const which = (weights: Readonly<Record<Which['from'], number>>): fc.Arbitrary<Which> =>
  fc.oneof(
    ...Object.entries(weights).map(([from, weight]) => ({
      weight,
      arbitrary: fc.record({ from: fc.constant(from as Which['from']), index }),
    })),
  )
const anItem = which({ own: 150, other: 1, gone: 1, nowhere: 1 })
const anArticle = which({ own: 30, other: 1, gone: 2, nowhere: 1 })

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })

const text = fc.noShrink(
  fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('e\u0301', '\u202Ertl', '\uFEFFbom', '<b>&amp;</b>', "'; drop", '%_\\'),
  ),
)
const name = text.map((some) => `T ${some}`)
const slug = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('a', 'b', 'A') },
  { weight: 1, arbitrary: fc.constant('🙂'.repeat(200)) },
)
const excerpt = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom('🙂'.repeat(160), 'x'.repeat(160)) },
)
const number = fc.noShrink(
  fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((some) => some + 0),
  ),
)
const lang = fc.oneof(
  { weight: 25, arbitrary: fc.constantFrom(...LANGUAGES) },
  { weight: 1, arbitrary: fc.constantFrom('de', 'EN', 'fr-FR', '*') },
)
const date = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...REVIEW_DATES.keys()) },
  // Days that do not exist, and moments that fall outside the years 0 to 9999 in UTC.
  {
    weight: 1,
    arbitrary: fc.constantFrom('2027-02-29', '9999-12-31T23:59:59-01:00', '0000-01-01T00:30:00+01:00'),
  },
)

const articleWords: fc.Arbitrary<ArticleWords> = fc.record({
  title: name,
  slug,
  categories: fc.array(anItem, { maxLength: 3 }),
  tags: maybe(fc.array(anItem, { maxLength: 3 })),
  excerpt,
  ordering: number,
  status: fc.constantFrom('draft', 'published'),
  pieces: fc.array(fc.nat(PIECES.length - 1), { maxLength: 5 }),
  hideFromSearch: maybe(fc.boolean()),
  seoBannerUrl: maybe(fc.constantFrom('https://example.com/b.png', '/b.png', '')),
  articleReviewDate: maybe(date),
  lang: maybe(lang),
  languageParent: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: anArticle },
    { weight: 1, arbitrary: fc.constant<''>('') },
  ),
})

const taxonWords: fc.Arbitrary<TaxonWords> = fc.record({
  name,
  slug,
  priority: number,
  parent: maybe(fc.oneof({ weight: 4, arbitrary: anItem }, { weight: 1, arbitrary: fc.constant('') })),
  description: maybe(text),
  longDescription: maybe(text),
  lang,
})

/** What no field, or only some may be. */
const WRONG = [
  ['', 'nul\0', 'half \uD83D', '\uDE00 half', 'a b', 'a/b', 'a?', '#', 'a\u00A0b', ' '],
  ['🙂'.repeat(161), 'x'.repeat(161), '🙂'.repeat(201), 'x'.repeat(201), 'Published', 'private'],
  ['2027-02-29', '2027-13-01', '31.01.2027', 'never', '2027-01-31T25:00:00Z', '9999-12-31T23:59:59-01:00'],
].flat()

/** Mostly none: a body that is wrong in one place says little about the others. */
const spoilsOf = (fields: string): fc.Arbitrary<Spoil[]> => {
  const spoil: fc.Arbitrary<Spoil> = fc.record({
    field: fc.constantFrom(...fields.split(' '), 'unknownMember'),
    value: fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 1 }), fc.constantFrom(...WRONG)),
  })
  return fc.oneof(
    { weight: 7, arbitrary: fc.constant<Spoil[]>([]) },
    { weight: 1, arbitrary: fc.array(spoil, { minLength: 1, maxLength: 2 }) },
  )
}
const articleSpoils = spoilsOf(
  'title slug categories tags excerpt ordering status content hideFromSearch seoBannerUrl articleReviewDate lang languageParent',
)
const taxonSpoils = spoilsOf(
  'id name slug priority categoryParent description longDescription thumbnailUrl iconUrl lang',
)

const kind = <Kind extends string>(...kinds: readonly Kind[]) => fc.constantFrom(...kinds)
const create = fc.record({ kind: kind('create'), words: articleWords, spoils: articleSpoils })
const update = fc.record({
  kind: kind('update'),
  which: anArticle,
  words: articleWords,
  spoils: articleSpoils,
})
const updateTaxon = fc.record({
  kind: kind('update-category', 'update-tag'),
  which: anItem,
  words: taxonWords,
  spoils: taxonSpoils,
})
const does: fc.Arbitrary<Does> = fc.oneof(
  { weight: 7, arbitrary: create },
  { weight: 8, arbitrary: update },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('delete'), which: anArticle, lang: fc.constant(undefined) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: kind('read'), which: anArticle, lang: maybe(lang) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('read-tag'), which: anItem, lang: maybe(lang) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('list-categories', 'list-review-dates', 'list-links', 'options') }),
  },
  { weight: 4, arbitrary: updateTaxon },
)

const step: fc.Arbitrary<Step> = fc.record({
  does,
  key: fc.oneof(
    { weight: 30, arbitrary: fc.constant('writer' as const) },
    { weight: 2, arbitrary: fc.constant('reader' as const) },
    { weight: 1, arbitrary: fc.constantFrom('revoked' as const, 'unknown' as const, 'none' as const) },
  ),
  site: fc.oneof(
    { weight: 12, arbitrary: fc.constant(0 as const) },
    { weight: 1, arbitrary: fc.constant(1 as const) },
  ),
  passedMs: fc.oneof(fc.constant(0), fc.nat(100_000), fc.constant(-5000)),
})

export const histories: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 1, maxLength: 40, size: 'max' })
