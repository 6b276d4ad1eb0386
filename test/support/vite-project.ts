// A site that uses virtual:kb, built by the installed Vite with the plugin from the sources.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, createLogger, type InlineConfig, type Logger, type PluginOption } from 'vite'
import { article, configFile, createProject, type Files, type TestProject } from './project.ts'

export const SITE: Files = {
  'index.html':
    '<!doctype html><title>Help</title><main></main><script type="module" src="/main.js"></script>',
  'main.js': `import { articles, loadArticle } from 'virtual:kb'

const wanted = articles.find(({ slug }) => location.hash === '#' + slug) ?? articles[0]
const { html, headings } = await loadArticle(wanted.id)
document.querySelector('main').innerHTML =
  '<h1>' + wanted.title + '</h1><ol>' + headings.map(({ text }) => '<li>' + text + '</li>') + '</ol>' + html
`,
  'kb.config.ts': configFile({ project: 'demo', defaults: { status: 'published' } }),
  'content/_categories.yml': '- name: Guides\n',
  'content/first.md': article('First', { body: 'Text of First.\n\n## More' }),
  'content/second.md': article('Second'),
}

export interface ViteProject extends TestProject {
  /** All that Vite and its plugins have logged, one entry each, without colours. */
  readonly logged: string[]
  readonly config: (plugins: PluginOption, more?: InlineConfig) => InlineConfig
  readonly build: (plugins: PluginOption, more?: InlineConfig) => Promise<void>
  /** Text of every file of a folder by its name. */
  readonly readAll: (folder: string) => Readonly<Record<string, string>>
}

export function createViteProject(changes: Files = {}): ViteProject {
  const project = createProject({ ...SITE, ...changes })
  const logged: string[] = []
  const config: ViteProject['config'] = (plugins, more) => ({
    root: project.root,
    configFile: false,
    customLogger: collectingLogger(logged),
    plugins: [plugins],
    ...more,
    build: { target: 'esnext', ...more?.build },
  })
  return {
    ...project,
    logged,
    config,
    build: async (plugins, more) => {
      await build(config(plugins, more))
    },
    readAll: (folder) => readAll(project.path(folder)),
  }
}

function collectingLogger(logged: string[]): Logger {
  const log = (text: string) => void logged.push(text)
  return { ...createLogger('info'), info: log, warn: log, warnOnce: log, error: log }
}

function readAll(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
  )
}
