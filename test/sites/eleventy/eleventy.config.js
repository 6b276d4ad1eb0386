import kb from 'kb-sync/eleventy'

/** @param {import('@11ty/eleventy/UserConfig').default} eleventyConfig */
export default function (eleventyConfig) {
  eleventyConfig.addPlugin(kb, {
    sync: 'build',
    links: { article: '/help/{id}/', category: '/help/in/{slug}/', tag: '/help/about/{slug}/' },
  })
}

export const config = { dir: { input: 'site' } }
