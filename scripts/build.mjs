// Builds dist/: declarations of what is public, bundles of what runs, the JSON Schemas that editors use, and the files
// that browsers are sent. With --if-changed, only where dist/ was made from other files than those that are there.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createJiti } from 'jiti'
import { rolldown } from 'rolldown'
import { parseSync, Visitor } from 'rolldown/utils'
import { licensePlugin } from 'rolldown-license-plugin'
import { digestFiles } from './digest-files.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const require = createRequire(import.meta.url)
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What package.json exports, and declarations of what is no module of ours, such as `virtual:kb`. */
const PUBLIC = [
  'index',
  'plugins/vite',
  'plugins/eleventy',
  'plugins/astro',
  'plugins/docusaurus',
  'plugins/virtual',
]

/** What is started or loaded by its path: the public modules, the command line, threads, and a part that Docusaurus must not transpile. */
const ENTRIES = [
  ...PUBLIC.slice(0, -1),
  'cli/bin',
  'cli/main',
  'content/pipeline/compile-worker',
  'kb/target/builtin-server',
  'server/http/large-call-worker',
  'watch/files/watch-worker',
  'web/pages/article-html/clean-worker',
  'plugins/docusaurus/plugin',
]

/** Dependencies that are in the bundle all the same: a sync of one change takes two thirds of the time that way. */
const BUNDLED = new Set([
  'chokidar',
  'gray-matter',
  'p-limit',
  'remark',
  'remark-html',
  'satteri',
  'undici',
  'unified',
  'zod',
])

/**
 * Chunks by purpose: each holds what loading these modules loads. What several purposes share is a chunk of its own,
 * named after all of them, so that each kind of run reads a few files and no more code than it needs.
 */
const CHUNKS = {
  library: ['index'],
  // A sync that finds nothing changed.
  start: ['cli/main', 'cli/commands/sync', 'core/config/load-config', 'kb/on-target', 'kb/run-stoppably'],
  // Patterns and folders of files, which a run with nothing to do may need without anything else of the content.
  patterns: [require.resolve('picomatch'), 'core/dialects/site-folders', 'core/dialects/text-lines'],
  // What a run with nothing to do reads of the site's own configuration, with a preset: scripts, lists of pages, or YAML.
  site: ['docusaurus', 'starlight', 'vitepress'].map((tool) => `core/dialects/${tool}-site`),
  'site-plain': ['core/dialects/folder-site'],
  'site-yaml': ['hugo', 'mkdocs'].map((tool) => `core/dialects/${tool}-site`),
  revision: ['kb/target/read-builtin-revision'],
  content: [
    'content/pipeline/load-content',
    'content/pipeline/render-cache',
    'content/pipeline/compile-worker',
  ],
  // Where a machine has no binary for it, loading fails, and remark steps in.
  parser: ['content/parser/native-parser'],
  sync: [
    'sync/sync-content',
    'kb/target/connect-builtin',
    'cli/results/format-sync-result',
    'cli/results/format-advice',
  ],
  thread: ['kb/target/server-thread'],
  server: ['kb/target/builtin-server'],
  large: ['server/http/large-call-worker'],
}

/** Modules in place of packages that load faster in another form, or of which little is used. */
const REPLACED = {
  // CommonJS that stays outside: where it is imported, Node.js scans all of its text for names to export.
  libsql: `import { createRequire } from 'node:module'
    export default createRequire(import.meta.url)('libsql')`,
  jiti: `import { createRequire } from 'node:module'
    export const { createJiti } = createRequire(import.meta.url)('jiti')`,
  // Without fetch, web sockets, caches and mocks.
  undici: `import api from 'undici/lib/api/index.js'
    import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
    Object.assign(Dispatcher.prototype, api)
    export { default as Agent } from 'undici/lib/dispatcher/agent.js'
    export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js'
    export { default as Pool } from 'undici/lib/dispatcher/pool.js'
    export { default as buildConnector } from 'undici/lib/core/connect.js'
    export { default as errors } from 'undici/lib/core/errors.js'`,
  // The target is asked over HTTP/1.1: without Node.js's own HTTP/2, which takes long to load.
  'undici/lib/dispatcher/client-h2.js': `module.exports = () => { throw new Error('HTTP/2 is not used.') }`,
  // For processors without SIMD, where it is read from the package.
  'undici/lib/llhttp/llhttp-wasm.js': `import { createRequire } from 'node:module'
    const wasm = createRequire(import.meta.url)('undici/lib/llhttp/llhttp-wasm.js')
    export { wasm as 'module.exports' }`,
  // The build for browsers is made of ES modules, so that unused parts are left out.
  yaml: `export * from ${JSON.stringify(join(dirname(require.resolve('yaml/package.json')), 'browser/index.js'))}`,
  // Ours take the place of gray-matter's own engines, of which one reads YAML 1.1 and one runs code.
  'gray-matter/lib/engines': `const replaced = () => { throw new Error('This engine of gray-matter is not used.') }
    export const yaml = { parse: replaced, stringify: replaced }
    export const json = yaml
    export const javascript = yaml`,
}

const replaced = new Set()
const replacePackages = {
  name: 'replace-packages',
  resolveId(id, importer = '') {
    const path = id.startsWith('.') ? join(dirname(importer), id).replaceAll('\\', '/') : id
    const name = path.split('/node_modules/').at(-1)
    return name in REPLACED ? `\0replaced:${name}` : undefined
  },
  load(id) {
    const name = id.replace('\0replaced:', '')
    if (name in REPLACED) replaced.add(name)
    return REPLACED[name]
  },
  transform(code, id) {
    if (!/[/\\]satteri[/\\]index\.js$/.test(id)) return undefined
    // Its binary is installed beside it, wherever that is.
    const here = 'createRequire(import.meta.url)'
    if (!code.includes(here)) throw new Error('satteri loads its binary in another way than before')
    return { code: code.replace(here, `createRequire(${here}.resolve('satteri'))`), map: null }
  },
  buildEnd() {
    const unused = Object.keys(REPLACED).filter((name) => !replaced.has(name))
    if (unused.length > 0)
      throw new Error(`nothing imports ${unused.join(', ')}, for which there is a replacement`)
  },
}

/** A module that is data made from zod schemas: only the data is taken into the bundle, so that no command line waits for zod. */
const PRECOMPUTED = join(root, 'src/cli/program/flags.ts')

const precomputeFlags = {
  name: 'precompute-flags',
  async load(id) {
    if (id !== PRECOMPUTED) return undefined
    const { FLAGS } = await createJiti(import.meta.url).import(PRECOMPUTED)
    return `export const FLAGS = ${JSON.stringify(FLAGS)}`
  },
}

/**
 * Escapes characters outside ASCII: with a single one beyond Latin-1, V8 holds and scans the whole chunk as UTF-16. On a
 * line with such a character, later columns of its source map are off by what the escapes are longer.
 */
const escapeCharacters = {
  name: 'escape-characters',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle).filter(({ type }) => type === 'chunk')) {
      const raw = /\bString\.raw`(?:\$\{[^}]*\}|(?!\$\{)[^`\x80-\uffff])*[\x80-\uffff]/.exec(chunk.code)
      if (raw !== null) throw new Error(`${chunk.fileName} has a raw text that cannot be escaped: ${raw[0]}`)
      chunk.code = chunk.code.replaceAll(
        /[\x80-\uffff]/g,
        (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
}

/**
 * Names the usual prototype in each object literal that starts with a spread: `{...a, b}`. V8 then creates it like any
 * other; otherwise it creates a hidden class for each object, which takes 400 bytes and several microseconds. Later
 * columns of the line are off in its source map.
 */
const namePrototypes = {
  name: 'name-prototypes',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle).filter(({ type }) => type === 'chunk')) {
      if (/\b(?:class|const|function|let|var) Object\b/.test(chunk.code))
        throw new Error(`${chunk.fileName} has an Object of its own`)
      const starts = []
      new Visitor({
        ObjectExpression({ start, properties: [first, second] }) {
          if (first?.type === 'SpreadElement' && second !== undefined) starts.push(start + 1)
        },
      }).visit(parseSync(chunk.fileName, chunk.code).program)
      const ends = [0, ...starts.toSorted((a, b) => a - b)]
      const parts = ends.map((end, index) => chunk.code.slice(end, ends[index + 1]))
      chunk.code = parts.join(' __proto__: Object.prototype,')
    }
  },
}

/** Digest of what dist/ is made from; it lies in there, and npm does not publish it. */
const STAMP = join(dist, '.made-from')
const INPUTS = [
  'src',
  'scripts/build.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]

const digest = digestFiles(root, INPUTS)
if (process.argv.includes('--if-changed') && readIfThere(STAMP) === digest) process.exit()
rmSync(dist, { recursive: true, force: true })
writeDeclarations()
await documentDeclarations()
await writeBundles()
writeSchemas()
copyAssets()
writeFileSync(STAMP, digest)

/** Checks the types of all of src/; only the declarations that public ones lead to are shipped. */
function writeDeclarations() {
  const all = join(dist, 'declarations')
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  run(compiler, ['-p', join(root, 'tsconfig.build.json'), '--outDir', all])
  // The compiler reads hand-written declarations and copies none.
  cpSync(join(root, 'src/plugins/virtual.d.ts'), join(all, 'plugins/virtual.d.ts'))
  const found = new Set(PUBLIC.map((name) => join(all, `${name}.d.ts`)))
  for (const file of found) {
    const text = readFileSync(file, 'utf8')
    for (const [, path] of text.matchAll(/(?:\bfrom|\bimport\(?)\s*['"](\.[^'"]+)['"]/g))
      found.add(join(dirname(file), path.replace(/(?:\.d)?\.[jt]s$/, '.d.ts')))
    cpSync(file, join(dist, relative(all, file)))
  }
  rmSync(all, { recursive: true })
}

/** Declarations of zod schemas say nothing of what each key is for: editors are shown what the schemas say. */
async function documentDeclarations() {
  const jiti = createJiti(import.meta.url)
  const { configSchema } = await jiti.import(join(root, 'src/core/config/schema.ts'))
  const { OPTIONS } = await jiti.import(join(root, 'src/kb/options.ts'))
  const target = configSchema.shape.targets.unwrap().def.valueType
  insertComments('core/config/schema.d.ts', 'declare const remote', keysOf(target))
  insertComments('core/config/schema.d.ts', 'declare const shape', keysOf(configSchema))
  insertComments('kb/options.d.ts', 'declare const OPTIONS', Object.values(OPTIONS).flatMap(keysOf))
}

/** Keys of a schema with their descriptions, in the order in which a declaration writes them. */
function keysOf(schema) {
  const { shape = {}, innerType, element, valueType, options = [] } = schema.def
  const own = Object.entries(shape).flatMap(([key, value]) => [
    { key, description: value.description ?? value.def.innerType?.description },
    // The rules have a page of the guide, and no order that a declaration keeps.
    ...(key === 'rules' ? [] : keysOf(value)),
  ])
  return [
    ...own,
    ...[innerType, element, valueType, ...options].flatMap((each) => (each ? keysOf(each) : [])),
  ]
}

/** Puts descriptions above the lines of their keys, from the one that has `start` on. */
function insertComments(name, start, keys) {
  const file = join(dist, name)
  const text = readFileSync(file, 'utf8')
  const at = text.indexOf(start)
  const waiting = [...keys]
  const lines = text
    .slice(at)
    .split('\n')
    .flatMap((line) => {
      const [, indent, key] = /^(\s+)"?([\w-]+)"?: z\./.exec(line) ?? []
      if (key === undefined || key !== waiting[0]?.key) return [line]
      const { description = '' } = waiting.shift()
      const sentence = description
        .replace(/^`?[a-z]/, (first) => first.toUpperCase())
        .replace(/\.?$/, '.')
        .replaceAll('*/', String.raw`*\/`)
      return description === '' ? [line] : [`${indent}/** ${sentence} */`, line]
    })
  if (waiting.length > 0) throw new Error(`${name} has no line for ${waiting[0].key}`)
  writeFileSync(file, text.slice(0, at) + lines.join('\n'))
}

async function writeBundles() {
  const external = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !BUNDLED.has(name) && !(name in REPLACED),
  )
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(ENTRIES.map((name) => [name, `src/${name}.ts`])),
    platform: 'node',
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    // Entries may export what other chunks need of them.
    preserveEntrySignatures: 'allow-extension',
    plugins: [
      replacePackages,
      precomputeFlags,
      escapeCharacters,
      namePrototypes,
      licensePlugin({ done: writeLicenses }),
    ],
    onLog(level, log, report) {
      // Imported lazily by one module and eagerly by another: the chunks are chosen with both in mind.
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') report(level, log)
    },
  })
  await bundle.write({
    dir: dist,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // Lines stay: Node.js prints the one in which an error was thrown.
    minify: { compress: true, mangle: true, codegen: false },
    comments: false,
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'by purpose', name: createChunkNamer() }],
    },
  })
  await bundle.close()
  chmodSync(join(dist, 'cli/bin.js'), 0o755)
}

function createChunkNamer() {
  let closures
  return (id, context) => {
    closures ??= Object.entries(CHUNKS).map(([name, paths]) => [
      name,
      closureOf(
        paths.map((path) => (isAbsolute(path) ? path : join(root, 'src', `${path}.ts`))),
        context,
      ),
    ])
    // What is started by its path begins its work as soon as it is loaded.
    if (context.getModuleInfo(id)?.isEntry) return null
    const names = closures.filter(([, modules]) => modules.has(id)).map(([name]) => name)
    return ['library', 'start'].find((name) => names.includes(name)) ?? (names.join('-') || null)
  }
}

/** All modules that are loaded as soon as one of `ids` is. */
function closureOf(ids, context) {
  for (const id of ids)
    if (context.getModuleInfo(id) === null) throw new Error(`CHUNKS names ${id}, which nothing imports`)
  const found = new Set(ids)
  for (const id of found)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

function writeLicenses(packages) {
  const rule = '-'.repeat(80)
  const sections = packages.map(
    ({ name, version, license, licenseText }) =>
      `${rule}\n${name} ${version} (${license})\n\n${licenseText.trim() || 'Its package holds no license file.'}\n\n`,
  )
  const title = 'The files of this folder contain code of these packages, under the licenses that follow.'
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), `${title}\n\n${sections.join('')}`)
}

function writeSchemas() {
  mkdirSync(join(dist, 'schemas'))
  for (const name of ['frontmatter', 'categories', 'tags', 'config'])
    writeFileSync(
      join(dist, 'schemas', `${name}.json`),
      run(join(dist, 'cli/bin.js'), ['schema', name], 'pipe'),
    )
}

/** Swagger UI, and styles, scripts and components as they stand in src/. */
function copyAssets() {
  const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'))
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'favicon-32x32.png',
    'LICENSE',
    'NOTICE',
  ]) {
    cpSync(join(swaggerUi, name), join(dist, 'server/docs/swagger-ui', name))
  }
  for (const folder of ['web/pages/assets', 'web/report/assets', 'plugins/docusaurus/theme']) {
    cpSync(join(root, 'src', folder), join(dist, folder), {
      recursive: true,
      filter: (path) => !path.endsWith('.json'),
    })
  }
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Runs a script of Node.js and returns what it printed; a failure ends the build. */
function run(script, args, stdout = 'inherit') {
  const ended = spawnSync(process.execPath, [script, ...args], { stdio: ['ignore', stdout, 'inherit'] })
  if (ended.status !== 0) process.exit(ended.status ?? 1)
  return ended.stdout
}
