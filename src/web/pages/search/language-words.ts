import { foldWord } from './words-of.ts'

/** The rules of a language: words without meaning in a query, and the common stem of a word's forms. */
export interface LanguageWords {
  /** True for a normalised stop word, such as "how" or "the". */
  readonly isStop: (word: string) => boolean
  /** Returns the stem of a normalised word. */
  readonly stem: (word: string) => string
  /** True if a word and its stem start with the same letter, if that is an ASCII letter. */
  readonly keepsStart: boolean
}

interface Rules {
  readonly stemmer: (word: string) => string
  readonly stopwords: readonly string[]
}

const QUESTION_WORDS = ['a', 'get', 'need', 'want']

type Load = () => Promise<readonly [Pick<Rules, 'stemmer'>, Pick<Rules, 'stopwords'>]>

/** By the primary subtag of the language code. Rules are loaded on demand. */
const LOADERS: Readonly<Record<string, Load>> = {
  ar: () => Promise.all([import('@orama/stemmers/arabic'), import('@orama/stopwords/arabic')]),
  bg: () => Promise.all([import('@orama/stemmers/bulgarian'), import('@orama/stopwords/bulgarian')]),
  da: () => Promise.all([import('@orama/stemmers/danish'), import('@orama/stopwords/danish')]),
  de: () => Promise.all([import('@orama/stemmers/german'), import('@orama/stopwords/german')]),
  el: () => Promise.all([import('@orama/stemmers/greek'), import('@orama/stopwords/greek')]),
  en: async () => {
    const { stopwords } = await import('@orama/stopwords/english')
    // The list lacks the article, and verbs with which people begin a question.
    return [await import('@orama/stemmers/english'), { stopwords: [...stopwords, ...QUESTION_WORDS] }]
  },
  es: () => Promise.all([import('@orama/stemmers/spanish'), import('@orama/stopwords/spanish')]),
  fi: () => Promise.all([import('@orama/stemmers/finnish'), import('@orama/stopwords/finnish')]),
  fr: () => Promise.all([import('@orama/stemmers/french'), import('@orama/stopwords/french')]),
  hu: () => Promise.all([import('@orama/stemmers/hungarian'), import('@orama/stopwords/hungarian')]),
  id: () => Promise.all([import('@orama/stemmers/indonesian'), import('@orama/stopwords/indonesian')]),
  it: () => Promise.all([import('@orama/stemmers/italian'), import('@orama/stopwords/italian')]),
  nb: () => Promise.all([import('@orama/stemmers/norwegian'), import('@orama/stopwords/norwegian')]),
  nl: () => Promise.all([import('@orama/stemmers/dutch'), import('@orama/stopwords/dutch')]),
  no: () => Promise.all([import('@orama/stemmers/norwegian'), import('@orama/stopwords/norwegian')]),
  pt: () => Promise.all([import('@orama/stemmers/portuguese'), import('@orama/stopwords/portuguese')]),
  ro: () => Promise.all([import('@orama/stemmers/romanian'), import('@orama/stopwords/romanian')]),
  ru: () => Promise.all([import('@orama/stemmers/russian'), import('@orama/stopwords/russian')]),
  sv: () => Promise.all([import('@orama/stemmers/swedish'), import('@orama/stopwords/swedish')]),
  tr: () => Promise.all([import('@orama/stemmers/turkish'), import('@orama/stopwords/turkish')]),
  uk: () => Promise.all([import('@orama/stemmers/ukrainian'), import('@orama/stopwords/ukrainian')]),
}

/** Maximum length of words that are their own stems, and minimum length of other stems. */
const SHORTEST_STEM = 3

/** @param language code; without rules for it, all words count, without stemming */
export async function loadLanguageWords(language: string): Promise<LanguageWords> {
  const [primary = ''] = language.toLowerCase().split('-', 1)
  const load = Object.hasOwn(LOADERS, primary) ? LOADERS[primary] : undefined
  if (load === undefined) return { isStop: () => false, stem: (word) => word, keepsStart: true }
  const [{ stemmer }, { stopwords }] = await load()
  const stops = new Set(stopwords.flatMap((word) => foldWord(word).split(/[^\p{L}\p{N}\p{M}]+/u)))
  return {
    isStop: (word) => stops.has(word),
    stem: remember((word) => stemOf(word, stemmer)),
    keepsStart: !WITH_PREFIXES.has(primary),
  }
}

/** Languages whose stemmers remove prefixes. */
const WITH_PREFIXES: ReadonlySet<string> = new Set(['ar', 'id'])

/** Number of cached stems. An article has some hundred, mostly the same ones. */
const STEMS_KEPT = 50_000

function remember(stem: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>()
  return (word) => {
    let found = known.get(word)
    if (found === undefined) {
      if (known.size === STEMS_KEPT) known.clear()
      known.set(word, (found = stem(word)))
    }
    return found
  }
}

// The stem of a stem may be shorter: deployment, deploy, deploi. Stems of numbers and of code are the words themselves.
function stemOf(word: string, stemmer: Rules['stemmer']): string {
  if (word.length <= SHORTEST_STEM || /\d/.test(word)) return word
  const stem = stemTwice(word, stemmer)
  return stem.length < SHORTEST_STEM ? word : stem
}

function stemTwice(word: string, stemmer: Rules['stemmer']): string {
  try {
    return stemmer(stemmer(word))
  } catch {
    // The Bulgarian stemmer fails on some words.
    return word
  }
}
