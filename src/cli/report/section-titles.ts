/** How the lists of a report are called, in every format. */
export const TITLES = {
  overdue: 'Overdue for review',
  later: 'Due later',
  never: 'Never due',
  undated: 'Without review date',
  broken: 'Broken links',
  hosts: 'Broken links by host',
  disagreements: 'Links that target and local check see differently',
  unowned: 'On the target and in no file',
  translations: 'Translations behind their original',
  categories: 'By category',
} as const
