const ATTRIBUTE = String.raw`[#.][\w:.\-\u0080-\uFFFF]+|[\w:-][\w:.-]*=(?:"(?:[^"\\]|\\.)*"|[^\s"',{}]+)`

const LIST = new RegExp(String.raw`^\{[ \t]*((?:${ATTRIBUTE})(?:[ \t,]+(?:${ATTRIBUTE}))*)[ \t]*\}[ \t]*$`)

/** Attributes as Goldmark reads them, of which only one says more than how something looks. */
export interface Attributes {
  readonly id: string | undefined
}

/** Of `{#id .class key="value"}` and nothing else; undefined where a text is none. Takes time in proportion to it. */
export function readAttributes(text: string): Attributes | undefined {
  const list = text.startsWith('{') ? LIST.exec(text)?.[1] : undefined
  if (list === undefined) return undefined
  const found = [...list.matchAll(new RegExp(ATTRIBUTE, 'g'))].map(([each]) => idOf(each))
  return { id: found.find((id) => id !== undefined && id !== '') }
}

function idOf(attribute: string): string | undefined {
  if (attribute.startsWith('#')) return attribute.slice(1)
  return /^id="?([^"\\\s]*)"?$/.exec(attribute)?.[1]
}
