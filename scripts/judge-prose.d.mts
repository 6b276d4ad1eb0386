/** What to write instead, by banned word or phrase, in lower case. */
type BannedWords = Readonly<Record<string, string>>

/** `line: what is wrong`, for each problem in a text of Markdown; code is not prose. */
export function judgeMarkdown(text: string, banned: BannedWords): Promise<string[]>

/** The same for each banned word in any other text. */
export function judgeText(text: string, banned: BannedWords): string[]

/** The same for the strings and comments of a TypeScript or JavaScript source, except the paths of its imports. */
export function judgeSource(text: string, banned: BannedWords): string[]
