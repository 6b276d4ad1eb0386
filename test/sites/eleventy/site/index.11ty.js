export const data = { title: 'Help', layout: 'page.njk' }

/** @param {{ collections: { kbCategories: import('kb-sync/eleventy').KbCategory[] } }} data */
export function render({ collections }) {
  const tops = collections.kbCategories.filter(({ level }) => level === 1)
  return tops.map(({ url, name, articles }) => `<a href="${url}">${name}</a>: ${articles.length}`).join('\n')
}
