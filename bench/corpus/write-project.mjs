import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const CONFIG = `import { defineConfig } from 'kb-sync'

export default defineConfig({ project: 'bench', defaults: { status: 'published' }, sync: { timeout: '5m' } })
`

/**
 * Writes a project of `count` articles under `root`. When `documents` run out they are written again, under another
 * title and into another folder: no two files are equal, since each has a title of its own.
 *
 * @returns what was written: the folders, the article files and their size together
 */
export function writeProject(root, documents, count) {
  const content = join(root, 'content')
  const volumes = Math.ceil(count / documents.length)
  const files = []
  let bytes = 0
  for (let volume = 1; volume <= volumes; volume++) {
    const category = nameOf(volume)
    mkdirSync(join(content, category), { recursive: true })
    for (const document of documents.slice(0, count - files.length)) {
      const text = formatArticle(document, volume, category)
      const file = join(content, category, `${document.name}-${volume}.md`)
      writeFileSync(file, text)
      bytes += Buffer.byteLength(text)
      files.push(file)
    }
  }
  const categories = Array.from({ length: volumes }, (_, index) => nameOf(index + 1))
  writeFileSync(
    join(content, '_categories.yml'),
    categories.map((name) => `- name: ${name}\n  slug: ${name}\n`).join(''),
  )
  writeFileSync(join(root, 'kb.config.ts'), CONFIG)
  return { root, content, files, bytes, copies: Math.max(0, count - documents.length) }
}

function nameOf(volume) {
  return `volume-${volume}`
}

function formatArticle({ title, body }, volume, category) {
  const shown = volume === 1 ? title : `${title} (${volume})`
  return `---\ntitle: ${JSON.stringify(shown)}\ncategories: [${category}]\n---\n\n${body}`
}
