// Markdown for the terminal, with colours instead of markup.
import type {
  BlockContent,
  DefinitionContent,
  Heading,
  ListItem,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  Table,
} from 'mdast'
import { tableLines } from '../text/format-table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapToColumns } from '../../core/text-columns.ts'

type Colors = Terminal['colors']
type Block = RootContent | BlockContent | DefinitionContent

/** Returns the lines of a text, at most `columns` wide except for code, which is unchanged. */
export function formatMarkdown({ children }: Root, columns: number, colors: Colors): string[] {
  return formatBlocks(children, columns, colors)
}

function formatBlocks(blocks: readonly Block[], columns: number, colors: Colors): string[] {
  return blocks.flatMap((block, index) => {
    const lines = formatBlock(block, columns, colors)
    return index === 0 || lines.length === 0 ? lines : ['', ...lines]
  })
}

function formatBlock(block: Block, columns: number, colors: Colors): string[] {
  if (block.type === 'heading') return wrap(block, columns).map((line) => colors.bold(line))
  if (block.type === 'paragraph') return wrap(block, columns)
  if (block.type === 'code')
    return block.value.split('\n').map((line) => (line === '' ? '' : `    ${colors.cyan(line)}`))
  if (block.type === 'list') {
    return block.children.flatMap((item, index) =>
      formatItem(item, block.ordered === true ? `${(block.start ?? 1) + index}. ` : '- ', columns, colors),
    )
  }
  if (block.type === 'blockquote')
    return formatBlocks(block.children, columns - 2, colors).map((line) => `  ${line}`)
  return block.type === 'table' ? formatRows(block, columns) : []
}

function wrap({ children }: Heading | Paragraph, columns: number): string[] {
  return wrapToColumns(plain(children), columns)
}

function formatItem(item: ListItem, bullet: string, columns: number, colors: Colors): string[] {
  const lines = formatBlocks(item.children, columns - bullet.length, colors)
  return lines.map((line, index) => `${index === 0 ? bullet : ' '.repeat(bullet.length)}${line}`.trimEnd())
}

function formatRows({ children }: Table, columns: number): string[] {
  const [head = [], ...rows] = children.map((row) => row.children.map((cell) => plain(cell.children)))
  const cells = head.map((title, index) => ({
    title,
    cell: (row: readonly string[]) => row[index] ?? '',
    isFlexible: true,
  }))
  return tableLines(cells, rows, columns)
}

/** Returns readable text: code keeps its quotes, a link to the web keeps its URL. */
function plain(nodes: readonly PhrasingContent[]): string {
  return nodes
    .map(plainNode)
    .join('')
    .replace(/\s*\n\s*/g, ' ')
}

function plainNode(node: PhrasingContent): string {
  if (node.type === 'text') return node.value
  if (node.type === 'inlineCode') return node.value.includes('`') ? node.value : `\`${node.value}\``
  if (node.type === 'break') return '\n'
  if (node.type === 'image') return node.alt ?? ''
  const text = 'children' in node ? plain(node.children) : ''
  const isElsewhere = node.type === 'link' && /^https?:/.test(node.url) && node.url !== text
  return isElsewhere ? `${text} (${node.url})` : text
}
