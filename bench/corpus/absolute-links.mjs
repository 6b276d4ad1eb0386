// What a package's Markdown links to by relative path is not in the corpus. So those links become absolute, each at
// the place where the parser saw it; everything around them stays as it was written.
import { Parser } from 'htmlparser2'
import { markdownToMdast } from 'satteri'
import { visit } from 'unist-util-visit'

/** `text` with relative addresses of links, images and raw HTML resolved against `base`. */
export function withAbsoluteLinks(text, base) {
  const edits = []
  visit(markdownToMdast(text), (node) => {
    if (node.type === 'html') edits.push(...editsOfHtml(text, node, base))
    else if (node.type === 'link' || node.type === 'image' || node.type === 'definition') {
      const url = resolve(node.url, base)
      if (url !== undefined) edits.push(editOf(text, node, url))
    }
  })
  return apply(text, edits)
}

function resolve(url, base) {
  if (url === '' || url.startsWith('#') || URL.canParse(url) || !URL.canParse(url, base)) return undefined
  return new URL(url, base).href
}

function editOf(text, node, url) {
  const start = node.position.start.offset
  const end = node.position.end.offset
  const address = `<${url}>${node.title ? ` "${node.title.replace(/[\\"]/g, '\\$&')}"` : ''}`
  if (node.type === 'image') return { start, end, with: `![${escape(node.alt ?? '')}](${address})` }
  if (node.type === 'link') {
    const last = node.children.at(-1)
    return { start: last?.position.end.offset ?? start + 1, end, with: `](${address})` }
  }
  const label = text.slice(start, text.indexOf(']:', start) + 2)
  return { start, end, with: `${label} ${address}` }
}

function escape(alt) {
  return alt.replace(/\s+/g, ' ').replace(/[\\[\]|<&*_`]/g, '\\$&')
}

function editsOfHtml(text, node, base) {
  const offset = node.position.start.offset
  const edits = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const changed = withAbsoluteAttributes(attributes, base)
        if (changed === undefined) return
        const start = offset + parser.startIndex
        const end = offset + parser.endIndex + 1
        const isClosed = text.slice(start, end).endsWith('/>')
        edits.push({ start, end, with: formatTag(name, changed, isClosed) })
      },
    },
    { lowerCaseTags: false },
  )
  parser.end(text.slice(offset, node.position.end.offset))
  return edits
}

function withAbsoluteAttributes(attributes, base) {
  const changed = {}
  for (const key of ['href', 'src']) {
    const url = resolve((attributes[key] ?? '').trim(), base)
    if (url !== undefined) changed[key] = url
  }
  const { srcset } = attributes
  if (srcset !== undefined && !srcset.includes('data:')) changed.srcset = resolveSrcset(srcset, base)
  return Object.keys(changed).length === 0 ? undefined : { ...attributes, ...changed }
}

function resolveSrcset(srcset, base) {
  return srcset
    .split(',')
    .map((candidate) => {
      const [url = '', ...size] = candidate.trim().split(/\s+/)
      return [resolve(url, base) ?? url, ...size].join(' ')
    })
    .join(', ')
}

function formatTag(name, attributes, isClosed) {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
  )
  return `<${name}${written.join('')}${isClosed ? ' /' : ''}>`
}

function apply(text, edits) {
  let result = text
  for (const { start, end, with: insert } of edits.toSorted((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + insert + result.slice(end)
  }
  return result
}
