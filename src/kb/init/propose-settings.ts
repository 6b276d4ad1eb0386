import { type Diagnostic, isError } from '../../core/model/diagnostic.ts'
import { RULES } from '../../core/model/diagnostic-codes.ts'
import { formatNumber } from '../../core/format-number.ts'
import { groupBy } from '../../core/group-by.ts'
import { pluralize } from '../../core/pluralize.ts'

/** Settings that make a first sync possible. */
export interface Proposal {
  /** Lines of the configuration, indented; none if hardly any article could be sent with them. */
  readonly lines: readonly string[]
  readonly errors: number
  /** Files with errors that no setting can turn into warnings: a sync holds them back. */
  readonly heldBack: number
}

/** The limit of embedded images to propose if some are larger than the default. Most screenshots are smaller. */
export const LARGER_IMAGES = { text: '500kB', bytes: 500_000 }

/**
 * Turns each violated rule into a warning, for one folder if only that violates it, and holds back files with other
 * errors. Undefined if nothing prevents a sync. Pure.
 *
 * @param before the problems with the default settings
 * @param left the problems that are left with `LARGER_IMAGES`; the same as `before` if this is not to be proposed
 * @param place `content`: the content folder as in the `file` of a diagnostic; `.` for the project folder. `hasOthers`:
 *   whether it contains more than one folder or file. `articles`: the number of articles
 */
export function proposeSettings(
  before: readonly Diagnostic[],
  left: readonly Diagnostic[],
  {
    content,
    hasOthers,
    articles,
  }: { readonly content: string; readonly hasOthers: boolean; readonly articles: number },
): Proposal | undefined {
  const all = before.filter(isError)
  if (all.length === 0) return undefined
  const errors = left.filter(isError)
  const embedded = all.filter(isTooLarge).length - errors.filter(isTooLarge).length
  const isRule = ({ code }: Diagnostic) => Object.hasOwn(RULES, code)
  const start = content === '.' ? 0 : content.length + 1
  const broken = [...groupBy(errors.filter(isRule), ({ code }) => code)].map(([code, found]) => ({
    code,
    count: found.length,
    folder: hasOthers ? onlyFolderOf(found.map(({ file }) => file.slice(start))) : undefined,
  }))
  const everywhere = broken.filter(({ folder }) => folder === undefined)
  const folders = groupBy(
    broken.filter(({ folder }) => folder !== undefined),
    ({ folder = '' }) => folder,
  )
  const heldBack = new Set(errors.filter((error) => !isRule(error)).map(({ file }) => file)).size
  if (heldBack >= articles * NEARLY_ALL) return { errors: all.length, heldBack, lines: [] }
  return {
    errors: all.length,
    heldBack,
    lines: [
      ...(embedded === 0
        ? []
        : [
            `  // Images of up to this size are embedded in the articles. Now: ${pluralize(embedded, 'more image')}.`,
            `  assets: { inlineUnder: '${LARGER_IMAGES.text}' },`,
          ]),
      ...(everywhere.length === 0 ? [] : ['  rules: {', ...ruleLines(everywhere, '    '), '  },']),
      ...(folders.size === 0
        ? []
        : ['  overrides: [', ...[...folders].flatMap(([folder, rules]) => override(folder, rules)), '  ],']),
      ...(heldBack === 0
        ? []
        : [
            '  // Articles with other errors are held back, and those that need them.',
            `  // Now: errors in ${pluralize(heldBack, 'file')}.`,
            "  sync: { onError: 'hold' },",
          ]),
    ],
  }
}

/** A share of the articles. */
const NEARLY_ALL = 0.9

function isTooLarge({ code }: Diagnostic): boolean {
  return code === 'asset-too-large'
}

interface BrokenRule {
  readonly code: string
  readonly count: number
}

function override(folder: string, rules: readonly BrokenRule[]): string[] {
  const pattern = `${folder.replaceAll(/[\\'*?[\]{}()!]/g, '?')}/**`
  return [
    '    {',
    `      files: ['${pattern}'],`,
    '      rules: {',
    ...ruleLines(rules, '        '),
    '      },',
    '    },',
  ]
}

function ruleLines(rules: readonly BrokenRule[], indent: string): string[] {
  return rules
    .toSorted((a, b) => b.count - a.count)
    .map(({ code, count }) => `${indent}'${code}': 'warning', // ${formatNumber(count)}`)
}

/** The folder directly below the content folder that contains all sources. */
function onlyFolderOf(sources: readonly string[]): string | undefined {
  const tops = new Set(sources.map((source) => (source.includes('/') ? source.split('/')[0] : undefined)))
  const [only] = tops
  return tops.size === 1 ? only : undefined
}

/**
 * The text of a configuration with more settings: at its end if it ends as `kb init` writes it, else at its start.
 * Undefined if it may contain such settings already, or does not export an object.
 */
export function withSettings(config: string, lines: readonly string[]): string | undefined {
  const keys = lines.flatMap((line) => /^ {2}(\w+):/.exec(line)?.[1] ?? [])
  const taken = new RegExp(`(?:^|[{,])\\s*['"]?(?:${keys.join('|')})['"]?\\s*[:,(}]|\\.\\.\\.`, 'm')
  const starts = [...config.matchAll(/^export default (?:defineConfig\()?\{/gm)]
  const [start] = starts
  if (keys.length === 0 || taken.test(config) || start === undefined || starts.length > 1) return undefined
  const newline = config.includes('\r\n') ? '\r\n' : '\n'
  const added = ['', ...lines, ''].join(newline)
  const [end] = /(?<=,\r?\n(?:\s*\/\/[^\n]*\n)*)\}\)\r?\n$/.exec(config) ?? []
  if (end !== undefined && !/\n[^\s/]/.test(config.slice(start.index, -end.length)))
    return `${config.slice(0, -end.length)}${added}${end}`
  const at = start.index + start[0].length
  return `${config.slice(0, at)}${added}${config.slice(at)}`
}
