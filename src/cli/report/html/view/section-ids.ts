/** Ids of the report's sections: what tiles and navigation lead to, and part of the addresses people pass on. */
export const REPORT_SECTIONS = {
  limits: 'limits',
  advice: 'advice',
  notes: 'notes',
  changes: 'changes',
  reviews: 'reviews',
  links: 'links',
  disagreements: 'disagreements',
  unowned: 'unowned',
  translations: 'translations',
  categories: 'categories',
  ages: 'ages',
} as const

export type SectionName = keyof typeof REPORT_SECTIONS
