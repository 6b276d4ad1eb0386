import type { InitAnswers } from './init-answers.ts'
import { DEFAULT_ANSWERS } from './init-answers.ts'

/** kb.config.ts: what was answered, and the settings that people look for first as comments. */
export function configText({ content, target, language }: InitAnswers, project: string): string {
  const address =
    target === 'builtin'
      ? `  // The server that comes with kb-sync. To push elsewhere: { url: 'https://help.example.com' }
  target: 'builtin',`
      : `  // The key comes from the environment, as KB_API_KEY.
  target: { url: ${quoted(target.url)} },`
  return `import { defineConfig } from 'kb-sync'

// The defaults are shown as comments. All settings: npx kb schema config
export default defineConfig({
  // The name that our articles are known by on the target: it should never change.
  project: ${quoted(project)},

${address}

  ${setting('content', content)}
  ${setting('defaultLanguage', language)}
  // defaults: { status: 'draft', reviewAfter: '180d' },
  // links: { article: '/articles/{slug}' },
  // sync: { prune: false, onConflict: 'fail' },
})
`
}

/** A setting whose value is the default is shown as a comment. */
function setting(key: 'content' | 'defaultLanguage', value: string): string {
  const isDefault = value === (key === 'content' ? DEFAULT_ANSWERS.content : DEFAULT_ANSWERS.language)
  return `${isDefault ? '// ' : ''}${key}: ${quoted(value)},`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
