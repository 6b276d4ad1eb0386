import type { Element, ElementContent, Parents, Root } from 'hast'
import { HTML_TAG, NOTE_REF_TAG, NOTE_TAG } from './stand-ins.ts'
import { decodeAddress } from '../source/link-address.ts'
import { textOf } from '../markdown/plain-text.ts'

// Footnotes as our renderer writes them. A service may have removed their attributes.
const NOTE_ID = /^(?:user-content-)?fn-(.+)$/
const NOTE_LINK = /^#(?:user-content-)?fn-(.+)$/
const BACK_LINK = /^#(?:user-content-)?fnref-/

/** Replaces matching references and notes with placeholder elements, in place. */
export function markFootnotes(tree: Root): void {
  const lists = noteLists(tree)
  const known = new Set(lists.flatMap(({ list }) => notesOf(list).map((note) => labelOf(note))))
  const used = replaceRefs(tree, known, new Set())
  for (const each of lists) replaceList(each, used)
}

interface NoteList {
  readonly list: Element
  readonly parent: Parents
}

function noteLists(parent: Parents, found: NoteList[] = []): NoteList[] {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const notes = child.tagName === 'ol' ? notesOf(child) : []
    if (notes.length > 0 && notes.every((note) => NOTE_ID.test(String(note.properties['id']))))
      found.push({ list: child, parent })
    else noteLists(child, found)
  }
  return found
}

function notesOf(list: Element): Element[] {
  return list.children.filter((child): child is Element => child.type === 'element' && child.tagName === 'li')
}

function labelOf(note: Element): string {
  return decodeAddress(NOTE_ID.exec(String(note.properties['id']))?.[1] ?? '')
}

/** Only a valid Markdown label can be written as `[^label]`. */
const isLabel = (label: string): boolean => /^[^\s[\]\\{}]+$/.test(label)

function replaceRefs(parent: Parents, known: ReadonlySet<string>, used: Set<string>): Set<string> {
  parent.children = (parent.children as ElementContent[]).map((child) => {
    if (child.type !== 'element' || isWrittenAsHtml(child)) return child
    const label = refLabel(child)
    if (label !== undefined && known.has(label) && isLabel(label)) {
      used.add(label)
      const children: ElementContent[] = [{ type: 'text', value: label }]
      return { type: 'element', tagName: NOTE_REF_TAG, properties: { title: label }, children }
    }
    replaceRefs(child, known, used)
    return child
  })
  return used
}

/** In HTML, `[^label]` would be text. */
function isWrittenAsHtml({ tagName, properties }: Element): boolean {
  return tagName === HTML_TAG || tagName === 'dl' || tagName === 'figure' || properties['align'] === 'center'
}

function refLabel(element: Element): string | undefined {
  const [only, ...others] = element.children.filter(
    (each) => each.type !== 'text' || each.value.trim() !== '',
  )
  if (element.tagName !== 'sup' || only?.type !== 'element' || only.tagName !== 'a' || others.length > 0)
    return undefined
  const label = NOTE_LINK.exec(String(only.properties['href']))?.[1]
  return label === undefined ? undefined : decodeAddress(label)
}

/** A list with an unreferenced note stays a list, because Markdown would not show that note. */
function replaceList({ list, parent }: NoteList, used: ReadonlySet<string>): void {
  const notes = notesOf(list)
  if (!notes.every((note) => used.has(labelOf(note)))) return
  for (const note of notes) {
    dropBackLinks(note)
    note.properties = { title: labelOf(note) }
    note.tagName = NOTE_TAG
  }
  const siblings = parent.children as ElementContent[]
  const at = siblings.indexOf(list)
  siblings.splice(at, 1, ...notes)
  const before = siblings.findLastIndex((each, index) => index < at && each.type === 'element')
  const heading = siblings[before]
  if (heading?.type === 'element' && isNotesHeading(heading)) siblings.splice(before, 1)
}

function isNotesHeading(element: Element): boolean {
  if (element.tagName !== 'h2') return false
  return element.properties['id'] === 'footnote-label' || textOf(element).trim() === 'Footnotes'
}

function dropBackLinks(parent: Parents): void {
  const kept = (parent.children as ElementContent[]).filter((child) => !isBackLink(child))
  if (kept.length < parent.children.length) {
    const last = kept.findLastIndex((child) => child.type !== 'text' || child.value.trim() !== '')
    parent.children = kept.slice(0, last + 1)
  }
  for (const child of parent.children) if (child.type === 'element') dropBackLinks(child)
}

function isBackLink(node: ElementContent): boolean {
  return node.type === 'element' && node.tagName === 'a' && BACK_LINK.test(String(node.properties['href']))
}
