import type { Element, Root } from 'hast'
import { collapseSpace, textOf } from './plain-text.ts'

/** Takes a leading `# Title` out of `tree` when it says the same as `title`, and returns it. */
export function dropTitle(tree: Root, title: string): Element | undefined {
  const index = tree.children.findIndex((child) => child.type !== 'text' || child.value.trim() !== '')
  const first = tree.children[index]
  if (first?.type !== 'element' || first.tagName !== 'h1') return undefined
  if (normalise(textOf(first)) !== normalise(title)) return undefined
  const after = tree.children[index + 1]
  tree.children.splice(0, after?.type === 'text' && after.value.trim() === '' ? index + 2 : index + 1)
  return first
}

/** The text of the first heading of level 1 that stands in no other block; undefined where there is none. */
export function findTitle(tree: Root): string | undefined {
  const heading = tree.children.find((child) => child.type === 'element' && child.tagName === 'h1')
  const text = heading?.type === 'element' ? collapseSpace(textOf(heading)).trim() : ''
  return text === '' ? undefined : text
}

function normalise(text: string): string {
  return collapseSpace(text).normalize('NFC')
}
