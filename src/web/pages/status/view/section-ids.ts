/** Ids of the page's sections: part of its addresses, and what a page that follows changes goes by. */
export const SECTIONS = {
  sync: '_kb-status-sync',
  problems: '_kb-all-problems',
  reviews: '_kb-status-reviews',
  links: '_kb-status-links',
  articles: '_kb-status-articles',
  list: '_kb-status-list',
} as const
