// Scripts in which marks are often left out when one types: accents, the points of Hebrew, the vowel signs of Arabic.
// Those of other scripts are letters of their own.
const OPTIONAL_MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g

/** Letters that are typed one for the other. */
const ALIKE: Readonly<Record<string, string>> = {
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ٱ: 'ا',
}
const ALIKE_LETTERS = new RegExp(`[${Object.keys(ALIKE).join('')}]`, 'g')

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/** The form in which two spellings of a word that readers take for the same are equal: case, accents, width, ligatures. */
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase()
  return (
    word
      .normalize('NFKD')
      .replaceAll(OPTIONAL_MARKS, '')
      // Upper case first: some letters meet only there (ß and ss).
      .toUpperCase()
      .toLowerCase()
      .replaceAll(ALIKE_LETTERS, (letter) => ALIKE[letter] ?? letter)
      .normalize('NFC')
  )
}
