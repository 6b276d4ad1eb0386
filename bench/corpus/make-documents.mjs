import { markdownToMdast } from 'satteri'
import { EXIT, visit } from 'unist-util-visit'
import { withAbsoluteLinks } from './absolute-links.mjs'

/** Found Markdown as documents `{ name, title, body }`; `name` is unique and fit for a file name and a slug. */
export function makeDocuments(found) {
  const taken = new Set()
  return found.map((file) => ({
    name: uniqueName(`${file.package}-${file.path.replace(/\.md$/, '')}`, taken),
    title: firstHeading(file.text) || file.package,
    body: withAbsoluteLinks(file.text, `https://example.com/${file.package}/${file.path}`),
  }))
}

function uniqueName(path, taken) {
  const base = path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  let name = base
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`
  taken.add(name)
  return name
}

function firstHeading(text) {
  let title = ''
  visit(markdownToMdast(text), 'heading', (heading) => {
    visit(heading, (node) => {
      if (node.type === 'text' || node.type === 'inlineCode') title += node.value
    })
    return EXIT
  })
  return title.replace(/\s+/g, ' ').trim().slice(0, 100)
}
