import type { InitAnswers } from './init-answers.ts'
import { DEFAULT_ANSWERS } from './init-answers.ts'
import { PRESET_DEFAULTS } from '../../core/model/preset-defaults.ts'
import { TOOL_NAMES } from './site/recognised-site.ts'

/** kb.config.ts: what was answered, and the settings that people look for first as comments. */
export function configText(
  { content, preset, target, language, languages }: InitAnswers,
  project: string,
): string {
  const usual = preset === undefined ? DEFAULTS : PRESET_DEFAULTS[preset]
  const reading =
    preset === undefined
      ? ''
      : `  // The articles are read as ${TOOL_NAMES[preset]} reads them.
  preset: ${quoted(preset)},
`
  const address =
    target === 'builtin'
      ? `  // The server that comes with kb-sync. To push elsewhere: { url: 'https://help.example.com' }
  target: 'builtin',`
      : `  // The key comes from the environment, as KB_API_KEY.
  target: { url: ${quoted(target.url)} },`
  const listed = [language, ...languages].map(quoted).join(', ')
  const others = languages.length === 0 ? '' : `  server: { languages: [${listed}] },\n`
  return `import { defineConfig } from 'kb-sync'

// The defaults are shown as comments. All settings: npx kb schema config
export default defineConfig({
  // The name that our articles are known by on the target: it should never change.
  project: ${quoted(project)},

${address}

${reading}  ${setting('content', content, usual.content)}
  ${setting('defaultLanguage', language, DEFAULT_ANSWERS.language)}
${others}  // defaults: { status: ${quoted(usual.status)}, reviewAfter: '180d' },
  // links: { article: '/articles/{slug}' },
  // sync: { prune: false, onConflict: 'fail' },
})
`
}

const DEFAULTS = { content: DEFAULT_ANSWERS.content, status: 'draft' }

/** A setting whose value is the default is shown as a comment. */
function setting(key: string, value: string, usual: string): string {
  return `${value === usual ? '// ' : ''}${key}: ${quoted(value)},`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
