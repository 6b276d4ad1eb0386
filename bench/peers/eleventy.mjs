import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode, runProcess } from '../measure/run-process.mjs'

const VERSION = '3.1.2'

// Markdown alone: no template language runs over the files first, and keys that were written for another tool have no
// meaning.
const CONFIG = `export default function (eleventyConfig) {
  eleventyConfig.setUseGitIgnore(false)
  const keys = { layout: 'unusedLayout', permalink: 'unusedPermalink' }
  return { markdownTemplateEngine: false, templateFormats: ['md'], keys }
}
`

/**
 * Eleventy, installed into `scratch` from the registry.
 *
 * @returns makes a contender that builds the articles of a content folder to disk
 */
export function installEleventy(scratch) {
  const site = join(scratch, 'eleventy')
  const output = join(site, 'public')
  mkdirSync(site, { recursive: true })
  writeFileSync(join(site, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(site, 'eleventy.config.js'), CONFIG)
  // Installed, not run through npx: that would add npm's own start to every run.
  runProcess('npm', ['install', '--no-audit', '--no-fund', `@11ty/eleventy@${VERSION}`], { cwd: site })
  const command = join(site, 'node_modules', '@11ty', 'eleventy', 'cmd.cjs')
  return (content) => ({
    name: `eleventy ${VERSION}`,
    command,
    prepare: () => rmSync(output, { recursive: true, force: true }),
    run: () =>
      runNode([command, '--input', content, '--output', output, '--quiet'], { cwd: site, measuresCpu: true }),
  })
}
