const ACCENTS = /[\u0300-\u036F]/g
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001F]/g
const PUNCTUATION = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g

/** Makes the ids that VitePress gives headings; one that is `taken`, a set that only grows, gets a number. */
export function createSlugify(taken: ReadonlySet<string>): (words: string) => string {
  // Up to which number all are taken, so that a thousand equal headings are no million tries.
  const counts = new Map<string, number>()
  return (words) => {
    const slug = slugOf(words)
    let count = counts.get(slug) ?? 0
    while (taken.has(withCount(slug, count))) count++
    counts.set(slug, count)
    return withCount(slug, count)
  }
}

function withCount(slug: string, count: number): string {
  return count === 0 ? slug : `${slug}-${count}`
}

function slugOf(words: string): string {
  return words
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(CONTROLS, '')
    .replace(PUNCTUATION, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()
}
