// The types of `virtual:kb` in a project of pages: browser types, every declaration checked, and no types of Node.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { virtualTypes } from '../../../src/plugins/vite/virtual-types.ts'
import { createProject, type Files } from '../../support/project.ts'

const COMPILER = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
)
const source = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../src/${path}`, import.meta.url)), 'utf8')

const PROJECT: Files = {
  'package.json': '{ "type": "module" }',
  // The folders of the package, which contain the compiled declarations.
  'node_modules/kb-sync/package.json':
    '{ "name": "kb-sync", "exports": { "./virtual": { "types": "./dist/plugins/virtual.d.ts" } } }',
  'node_modules/kb-sync/dist/plugins/virtual.d.ts': source('plugins/virtual.d.ts'),
  'node_modules/kb-sync/dist/kb/site/site-data.d.ts': source('kb/site/site-data.ts'),
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      lib: ['ES2022', 'DOM'],
      target: 'ES2022',
      module: 'ESNext',
      moduleResolution: 'bundler',
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['kb-sync/virtual'],
    },
    include: ['src', '.kb/types'],
  }),
}

const GENERATED = virtualTypes({
  articles: [{ id: 'log-in' }, { id: 'fr/mot-de-passe' }],
  categories: [{ id: 'Guides' }],
  tags: [],
  languages: ['en', 'fr'],
} as unknown as Parameters<typeof virtualTypes>[0])

const GUIDE = `import { articles, findArticle, loadArticle } from 'virtual:kb'

for (const { title, url, translations } of articles) console.log(title, url, translations['fr'])
const article = findArticle('log-in')
if (article !== undefined) {
  const { html, headings } = await loadArticle(article.id)
  document.body.innerHTML = html
  for (const { level, id, text } of headings) console.log(level.toFixed(), id.trim(), text.trim())
}
`

const FROM_ADDRESS = `import { type Article, type ArticleId, findArticle } from 'virtual:kb'

declare const params: { readonly slug: string; readonly language: 'en' | 'fr' }
declare const either: ArticleId
const known = 'log-in'
export const found: (Article | undefined)[] = [
  findArticle(params.slug),
  findArticle(location.pathname.slice(1)),
  findArticle(\`\${params.language}/\${params.slug}\`),
  findArticle(either),
  findArticle(known),
  ...[params.slug].map(findArticle),
]
`

/** One line for each error, without explanations. */
async function typeErrors(files: Files): Promise<string[]> {
  const { root } = createProject({ ...PROJECT, ...files })
  const { stdout } = await promisify(execFile)(process.execPath, [COMPILER, '-p', root], { cwd: root }).catch(
    (error: unknown) => error as { stdout: string },
  )
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' '))
}

test('they have no dependencies', async () => {
  const pages = { 'src/guide.ts': GUIDE, 'src/address.ts': FROM_ADDRESS }
  // Before the first build, every text is an id.
  expect(await typeErrors(pages)).toEqual([])
  expect(await typeErrors({ ...pages, '.kb/types/virtual-kb.d.ts': GENERATED })).toEqual([])
})

test('a literal id must be known, other strings may be any', async () => {
  const wrong = `import { findArticle, loadArticle } from 'virtual:kb'

declare const slug: string
findArticle('log-on')
findArticle(slug === '' ? 'log-in' : 'mot-de-passe')
void loadArticle('log-on')
void loadArticle(slug)
`
  const refused = (place: string, type: string) =>
    `src/wrong.ts(${place}): error TS2345: Argument of type '${type}' is not assignable to parameter of type '"fr/mot-de-passe" | "log-in"'.`
  expect(await typeErrors({ 'src/wrong.ts': wrong, '.kb/types/virtual-kb.d.ts': GENERATED })).toEqual([
    refused('4,13', '"log-on"'),
    refused('5,13', '"log-in" | "mot-de-passe"'),
    refused('6,18', '"log-on"'),
    refused('7,18', 'string'),
  ])
})
