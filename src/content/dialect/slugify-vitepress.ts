const ACCENTS = /[\u0300-\u036F]/g
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001F]/g
const PUNCTUATION = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g

/** The id that VitePress gives a heading; one that is `taken` gets a number. */
export function slugifyVitepress(words: string, taken: ReadonlySet<string>): string {
  const slug = words
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(CONTROLS, '')
    .replace(PUNCTUATION, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()
  let id = slug
  for (let count = 1; taken.has(id); count++) id = `${slug}-${count}`
  return id
}
