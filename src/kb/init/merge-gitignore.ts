interface IgnoredFolder {
  /** The line that is added. */
  readonly line: string
  /** Lines that ignore the folder already. */
  readonly covering: RegExp
}

const WORKSPACE: IgnoredFolder = { line: '.kb/', covering: /^(?:\*\*)?\/?(?:\.kb|\.\*)\/?(?:\*{1,2})?$/ }
const PACKAGES: IgnoredFolder = {
  line: 'node_modules/',
  covering: /^(?:\*\*)?\/?node_modules\/?(?:\*{1,2})?$/,
}

/**
 * The text of .gitignore with what must not get into git, and the lines that were added. Line ends stay as they are, and
 * so does the last one, be it there or not.
 *
 * @param text what there is; undefined for no file
 * @param withPackages whether node_modules is to be ignored as well
 */
export function mergeGitignore(
  text: string | undefined,
  withPackages: boolean,
): { readonly text: string; readonly added: readonly string[] } {
  const lines = (text ?? '').split(/\r?\n/)
  const wanted = withPackages ? [PACKAGES, WORKSPACE] : [WORKSPACE]
  const added = wanted.filter((folder) => !isIgnored(lines, folder)).map(({ line }) => line)
  if (text === undefined || text === '') return { text: added.map((line) => `${line}\n`).join(''), added }
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const hasLineEnd = text.endsWith('\n')
  const block = added.join(lineEnd)
  if (block === '') return { text, added }
  return { text: hasLineEnd ? `${text}${block}${lineEnd}` : `${text}${lineEnd}${block}`, added }
}

/** The last line that is about the folder decides, as in git. */
function isIgnored(lines: readonly string[], { covering }: IgnoredFolder): boolean {
  const last = lines.map((line) => line.trim()).findLast((line) => covering.test(line.replace(/^!/, '')))
  return last !== undefined && !last.startsWith('!')
}
