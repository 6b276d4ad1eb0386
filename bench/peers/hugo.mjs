import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProcess } from '../measure/run-process.mjs'

// The least Hugo can do with the files: no lists, feeds or highlighting, and a layout that is the content alone.
const CONFIG = `baseURL = "https://example.com/"
disableKinds = ["taxonomy", "term", "section", "home", "RSS", "sitemap", "robotsTXT", "404"]
[markup.goldmark.renderer]
unsafe = true
[markup.highlight]
codeFences = false
`

const HUGO = process.env.HUGO ?? 'hugo'

/**
 * Hugo where it is installed, or at the path in the variable HUGO.
 *
 * @returns makes a contender that builds the articles of a content folder to disk; undefined without Hugo
 */
export function findHugo(scratch) {
  const { status, stdout } = spawnSync(HUGO, ['version'], { encoding: 'utf8' })
  if (status !== 0) return undefined
  const site = join(scratch, 'hugo')
  const output = join(site, 'public')
  mkdirSync(join(site, 'layouts', '_default'), { recursive: true })
  writeFileSync(join(site, 'config.toml'), CONFIG)
  writeFileSync(join(site, 'layouts', '_default', 'single.html'), '{{ .Content }}')
  return (content) => ({
    name: `hugo ${/v(\d+\.\d+)/.exec(stdout)?.[1] ?? ''}`,
    prepare: () => rmSync(output, { recursive: true, force: true }),
    run: () =>
      runProcess(HUGO, ['--source', site, '--contentDir', content, '--destination', output, '--quiet'], {
        measuresCpu: true,
      }),
  })
}
