// remark-parse, remark-gfm and remark-html, and nothing else, on the files that the given list names. Prints the
// milliseconds they took and the bytes they were; the first files only warm the process up.
import { readFileSync } from 'node:fs'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

const WARM_UPS = 50

const files = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const processor = unified().use(remarkParse).use(remarkGfm).use(remarkHtml)
let bytes = 0
let started = 0
files.forEach((file, index) => {
  if (index === WARM_UPS) {
    started = performance.now()
    bytes = 0
  }
  const text = readFileSync(file, 'utf8')
  bytes += Buffer.byteLength(text)
  // Without the frontmatter, which this chain would take for a heading.
  processor.processSync(text.slice(text.indexOf('\n---\n') + '\n---\n'.length))
})
console.log(JSON.stringify({ ms: performance.now() - started, bytes }))
