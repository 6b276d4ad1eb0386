import type { ServiceHabits } from './strict-service.ts'

/** What services make of an article before they store it, one change each but for the last ones. */
export const ALTERATIONS: Readonly<Record<string, NonNullable<ServiceHabits['alters']>>> = {
  'ordering stored as 0': (body) => ({ ...body, ordering: 0 }),
  'excerpt cut': (body) => ({ ...body, excerpt: body.excerpt.slice(0, 4) }),
  'title escaped': (body) => ({ ...body, title: body.title.replace(' ', '&nbsp;') }),
  'quotes curled': (body) => ({ ...body, content: body.content.replace('<p>', '<p>‘') }),
  'paragraphs as headings': (body) => ({ ...body, content: body.content.replaceAll(/(<\/?)p>/g, '$1h4>') }),
  'slug in capitals': (body) => ({ ...body, slug: body.slug.toUpperCase() }),
  'slug in decomposed form': (body) => ({ ...body, slug: body.slug.normalize('NFD') }),
  'slug in ASCII': (body) => ({ ...body, slug: body.slug.normalize('NFKD').replaceAll(/\p{M}/gu, '') }),
  'search, banner and review date set': (body) => ({
    ...body,
    hideFromSearch: true,
    seoBannerUrl: 'https://cdn.example/banner.png',
    articleReviewDate: '2030-01-31',
  }),
  'slug with a prefix, ordering stored as 0': (body) => ({ ...body, slug: `kb-${body.slug}`, ordering: 0 }),
}

/** Answers to a slug that is taken, and the extension that needs none. */
export const WRITE_MODES = [
  { duplicateSlugs: 'allowed' },
  { duplicateSlugs: 'refused-409' },
  { extensions: ['update'] },
] as const satisfies readonly ServiceHabits[]

/** Each alteration with each mode, by name. */
export const ALTERING_HABITS: readonly (readonly [string, ServiceHabits])[] = Object.entries(
  ALTERATIONS,
).flatMap(([name, alters]) =>
  WRITE_MODES.map((mode) => [`${name}, ${Object.values(mode).join()}`, { ...mode, alters }] as const),
)
