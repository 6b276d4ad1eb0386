import { posix } from 'node:path'
import { slug } from 'github-slugger'
import { stringify } from 'yaml'
import { firstArticleText, siteArticleText, usedCategories, type NamedEntry } from './first-article.ts'
import { type InitAnswers, DEFAULT_ANSWERS } from './init-answers.ts'
import type { InitFacts, InitPlan, InitTodo, PlannedFile } from './init-model.ts'
import { mergeGitignore, createPackageJson, mergePackageJson } from './merge-files.ts'
import { commandsOf } from './packages.ts'
import { planPipelines } from './plan-pipelines.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'

/**
 * Plans every file of a new project. Existing files stay or are merged; existing Markdown is used unchanged, and
 * nothing is added beside it. Pure.
 *
 * @throws KbError CONFIG_UNREADABLE for a package.json that cannot be merged into
 */
export function planInit(answers: InitAnswers, facts: InitFacts): InitPlan {
  const pipelines = planPipelines(answers, facts)
  const name = packageNameOf(facts)
  return {
    files: [
      packageJsonFile(facts, name),
      gitignoreFile(facts),
      ...contentFiles(answers, facts),
      ...pipelines.files,
      // The configuration makes the folder a project, so it comes last: after an earlier failure, init can run again.
      {
        kind: 'create',
        file: CONFIG_FILE,
        text: configText(withFolderName(answers, facts, name), projectNameOf(facts, name)),
      },
    ],
    todos: [...otherScripts(facts), ...pipelines.todos],
  }
}

/** Names the site after the folder: a name for npm has no capitals, spaces or accents. */
function withFolderName(answers: InitAnswers, { folderName, packageJson }: InitFacts, name: string) {
  const isShown =
    packageJson === undefined && folderName !== name && /^(?=.*\p{L}).{1,100}$/u.test(folderName)
  return isShown ? { name: folderName, ...answers } : answers
}

export const CONFIG_FILE = 'kb.config.ts'

function otherScripts({ packageJson, version }: InitFacts): InitTodo[] {
  const { others } = packageJson === undefined ? { others: [] } : mergePackageJson(packageJson, version)
  return others.map((name) => ({ kind: 'script', name }))
}

function packageJsonFile({ packageJson, version }: InitFacts, name: string): PlannedFile {
  const file = 'package.json'
  if (packageJson === undefined) return { kind: 'create', file, text: createPackageJson(name, version) }
  const { text, added } = mergePackageJson(packageJson, version)
  return added.length === 0 ? { kind: 'keep', file } : { kind: 'change', file, text, changes: added }
}

/** A new file ignores packages even if settings of this user do, too: others do not have those. */
function gitignoreFile({ gitignore, packageJson, addsPackages }: InitFacts): PlannedFile {
  const file = '.gitignore'
  const { text, added } = mergeGitignore(
    gitignore,
    [gitignore, packageJson].includes(undefined) || addsPackages,
  )
  if (gitignore === undefined) return { kind: 'create', file, text }
  return added.length === 0 ? { kind: 'keep', file } : { kind: 'change', file, text, changes: added }
}

/**
 * With existing articles, the taxonomy files contain what these refer to, because the new database of the built-in
 * server is empty. A remote target has its own taxonomy, which such a file would limit. With a preset, the folders of
 * the site are the categories, and nothing is added; an empty site starts with an article in the tool's terms.
 */
function contentFiles({ content, preset, target }: InitAnswers, facts: InitFacts): PlannedFile[] {
  const { articles, categories, tags, manager, named } = facts
  const inContent = (name: string) => posix.join(content, name)
  const files = { categories: inContent('_categories.yml'), tags: inContent('_tags.yml') }
  const kept: PlannedFile[] = [
    ...(categories === undefined ? [] : [{ kind: 'keep', file: files.categories } as const]),
    ...(tags === undefined ? [] : [{ kind: 'keep', file: files.tags } as const]),
  ]
  const kb = `${commandsOf(manager).exec} kb`
  const firstArticle = inContent('how-to-write-an-article.md')
  if (preset !== undefined)
    return facts.hasContent ? kept : [create(firstArticle, siteArticleText({ preset, kb }))]
  if (articles > 0 && target !== 'builtin') return kept
  const schemas = schemaFolder(content, facts)
  const taxonomy = [
    ...(categories === undefined
      ? [create(files.categories, categoriesText(schemas, usedCategories(named.categories)))]
      : []),
    ...(tags === undefined
      ? [
          create(
            files.tags,
            tagsText(
              schemas,
              named.tags.map((name) => ({ name })),
            ),
          ),
        ]
      : []),
  ]
  if (articles > 0) return [...kept, ...taxonomy]
  const category = categories === undefined ? FIRST_CATEGORY : categories[0]
  const tag = tags === undefined ? FIRST_TAG : tags[0]
  return [
    ...kept,
    ...taxonomy,
    ...(category === undefined ? [] : [create(firstArticle, firstArticleText(category, tag, kb))]),
  ]
}

function create(file: string, text: string): PlannedFile {
  return { kind: 'create', file, text }
}

function schemaFolder(content: string, { packagePrefix }: InitFacts): string {
  const up = content === '.' ? './' : '../'.repeat(content.split('/').length)
  return `${up}${packagePrefix}node_modules/kb-sync/dist/schemas/`
}

/** Returns a valid name for npm. */
function packageNameOf({ folderName }: InitFacts): string {
  const name = slug(folderName.normalize('NFKD').replace(/\p{M}/gu, ''))
    .replace(/[^a-z0-9-]/g, '')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
  // A package cannot depend on itself.
  return name === '' || name === 'kb-sync' || name === 'node_modules' ? 'knowledge-base' : name
}

/** Returns the name in package.json, which is the configuration's default, else the name of the folder. */
function projectNameOf({ packageJson }: InitFacts, name: string): string {
  const written = packageJson === undefined ? name : readName(packageJson)
  return written === undefined ? name : written.slice(0, 100)
}

/** `mergePackageJson` has already validated it. */
function readName(packageJson: string): string | undefined {
  const { name } = JSON.parse(packageJson.replace('\uFEFF', '')) as { readonly name?: unknown }
  return typeof name === 'string' && name.trim() !== '' ? name : undefined
}

/** The first category and tag of a new knowledge base. */
const FIRST_CATEGORY = 'getting-started'
const FIRST_TAG = 'basics'

/**
 * @param schemas path of the JSON Schemas, relative to the file, with a trailing `/`
 * @param entries the categories of existing articles; if there are none, the file gets a first one
 */
function categoriesText(schemas: string, entries: readonly NamedEntry[] = []): string {
  return `# yaml-language-server: $schema=${schemas}categories.json
# Each article names its categories by slug or name. A category can have a parent: parent: Getting started
${entries.length > 0 ? stringify(entries) : FIRST_CATEGORIES}`
}

/** Like `categoriesText`. */
function tagsText(schemas: string, entries: readonly NamedEntry[] = []): string {
  return `# yaml-language-server: $schema=${schemas}tags.json
# Tags connect articles of different categories.
${entries.length > 0 ? stringify(entries) : FIRST_TAGS}`
}

const FIRST_CATEGORIES = `- name: Getting started
  slug: ${FIRST_CATEGORY}
  priority: 1
  description: The first steps, and the most common questions.
`

const FIRST_TAGS = `- name: Basics
  slug: ${FIRST_TAG}
  description: Useful for everyone.
`

/** Returns the text of kb.config.ts: the answers, and the most common settings as comments. */
function configText(answers: InitAnswers, project: string): string {
  const { content, preset, name, target, language, languages } = answers
  const usual = preset === undefined ? DEFAULTS : dialectOf(preset).defaults
  const reading =
    preset === undefined
      ? ''
      : `  // Reads ${dialectOf(preset).label} documents as they are.
  preset: ${quoted(preset)},
`
  const address =
    target === 'builtin'
      ? `  // The server included in kb-sync. For a remote target: { url: 'https://help.example.com' }
  target: 'builtin',`
      : `  // Set the key as the environment variable KB_API_KEY.
  target: { url: ${quoted(target.url)} },`
  // A preset excludes packages itself.
  const excluding = preset === undefined && content === '.' ? "\n  exclude: ['**/node_modules/**']," : ''
  const listed = [...new Set([language, ...languages])]
  const others = listed.length === 1 ? '' : `  server: { languages: [${listed.map(quoted).join(', ')}] },\n`
  return `import { defineConfig } from 'kb-sync'

// The comments show defaults. For all settings, run npx kb schema config
export default defineConfig({
  // The name that identifies your articles on the target. Do not change it.
  project: ${quoted(project)},

${address}

${reading}  ${setting('content', content, usual.content)}${excluding}
  ${setting('defaultLanguage', language, DEFAULT_ANSWERS.language)}
${others}  ${name === undefined ? '// ' : ''}pages: { name: ${quoted(name ?? project)} },
  // defaults: { status: ${quoted(usual.status)}, reviewAfter: '180d' },
  // links: { article: '/articles/{slug}' },
  // sync: { prune: false, onConflict: 'fail' },
})
`
}

const DEFAULTS = { content: DEFAULT_ANSWERS.content, status: 'draft' }

/** Formats a setting. One with its default value becomes a comment. */
function setting(key: string, value: string, usual: string): string {
  return `${value === usual ? '// ' : ''}${key}: ${quoted(value)},`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
