// What a build plugin adds to the build of a site of one page: the check of the content, and no more. It sends nothing.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BINARY, PROJECT_ROOT } from '../kb.mjs'
import { compare } from '../measure/compare.mjs'
import { runNode } from '../measure/run-process.mjs'

const VITE = join(PROJECT_ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
const VARIABLE = 'BENCH_PLUGIN'

/** Builds of Vite, and of Eleventy where it is among the peers. */
export async function measurePlugins({ project, slowRuns, peers: { eleventy } }) {
  const tools = [viteSite(project.root)]
  if (eleventy !== undefined) tools.push(eleventySite(project.root, eleventy(project.content).command))
  const rows = []
  for (const tool of tools) {
    rows.push(await measureBuild(tool, project.root, { runs: slowRuns, isFirst: true }))
    rows.push(await measureBuild(tool, project.root, { runs: slowRuns, isFirst: false }))
  }
  return rows
}

/** @param isFirst whether nothing is known of the content yet, as in a fresh checkout */
async function measureBuild({ name, build }, root, { runs, isFirst }) {
  const prepare = () => {
    if (isFirst) rmSync(join(root, '.kb'), { recursive: true, force: true })
  }
  const [bare, check, ours] = await compare(
    [
      { name: 'the build without it', run: () => build({}) },
      { name: 'kb check', prepare, run: () => runNode([BINARY, 'check', '--quiet', '--cwd', root]).ms },
      { name: 'with the plugin', prepare, run: () => build({ [VARIABLE]: '1' }) },
    ],
    { runs },
  )
  const both = bare.samples.map((ms, round) => ms + check.samples[round])
  return {
    title: `plugin in a ${isFirst ? 'first' : 'later'} ${name}`,
    unit: 'ms',
    ours: ours.samples,
    beside: [{ name: 'without it, and kb check', samples: both, goal: '<= 1x' }, bare],
  }
}

function viteSite(root) {
  const file = join(root, 'vite.config.mjs')
  writeFileSync(join(root, 'index.html'), '<!doctype html><script type="module" src="/main.js"></script>\n')
  writeFileSync(join(root, 'main.js'), 'document.title = "Bench"\n')
  writeFileSync(
    file,
    `const kb = async () => (await import('${pluginUrl('vite')}')).kb({ drafts: true })
export default { logLevel: 'silent', plugins: process.env.${VARIABLE} ? [kb()] : [] }
`,
  )
  return {
    name: 'vite build',
    build: (env) => runNode([VITE, 'build', '--config', file], { cwd: root, env }).ms,
  }
}

function eleventySite(root, command) {
  const site = join(root, 'site')
  const file = join(root, 'eleventy.config.mjs')
  mkdirSync(site)
  writeFileSync(join(site, 'index.html'), '<!doctype html><title>Bench</title>\n')
  writeFileSync(
    file,
    `export default async function (eleventyConfig) {
  if (process.env.${VARIABLE}) eleventyConfig.addPlugin((await import('${pluginUrl('eleventy')}')).kb, { drafts: true })
}
export const config = { dir: { input: 'site' } }
`,
  )
  const args = [command, `--config=eleventy.config.mjs`, '--quiet']
  return { name: 'eleventy build', build: (env) => runNode(args, { cwd: root, env }).ms }
}

function pluginUrl(name) {
  return pathToFileURL(join(PROJECT_ROOT, 'dist', 'plugins', `${name}.js`)).href
}
