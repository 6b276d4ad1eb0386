import { relative } from 'node:path'
import type { InitCheck, InitResult, SiteArticles } from '../../kb/init.ts'
import { CONFIG_FILE } from '../../kb/init/plan-init.ts'
import type { InitFacts, InitPlan, InitTodo, PlannedFile } from '../../kb/init/init-model.ts'
import { type Installation, commandsOf } from '../../kb/init/packages.ts'
import type { Proposal } from '../../kb/init/propose-settings.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import { formatNumber } from '../../core/format-number.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { sectionUrl } from '../diagnostics/guide-sections.ts'
import { formatJson } from '../text/format-json.ts'
import type { Terminal, TerminalStyle } from '../terminal/terminal.ts'
import { wrapToColumns } from '../../core/text-columns.ts'

interface InitOutcome extends InitResult {
  /** Folder in which the command was run: absolute, like the project folder `root`. */
  readonly from: string
  readonly root: string
}

const ACTIONS = { create: 'created', change: 'changed', keep: 'kept' } as const

/** Formats one JSON document: `files` with their results, `installation`, and the `next` commands. */
export function formatInitJson(outcome: InitOutcome): string {
  const { root, plan, facts, installation, site, check } = outcome
  return formatJson({
    version: 1,
    root,
    preset: site?.preset ?? null,
    articles: facts.articles,
    files: plan.files.map((planned) => ({
      file: planned.file,
      action: ACTIONS[planned.kind],
      ...(planned.kind === 'change' && { changes: planned.changes }),
    })),
    todos: plan.todos,
    check: check ?? null,
    installation,
    next: nextCommands(outcome).map(({ command }) => command),
  })
}

/** Formats the final message. `isQuiet` lists only the files. */
export function formatInit(outcome: InitOutcome, isQuiet: boolean, place: TerminalStyle): string {
  const { plan, facts, installation, site, check } = outcome
  const next = nextCommands(outcome)
  const width = Math.max(...next.map(({ command, effect }) => (effect === '' ? 0 : command.length)))
  const files = plan.files.flatMap((planned) => formatFile(planned, place))
  const lines = isQuiet
    ? files
    : [
        ...files,
        ...paragraphs(site === undefined ? describeArticles(facts, plan) : describeSite(site, facts), place),
        ...(check === undefined ? [] : [...formatCheck(check, place), ...settingsLines(check, place)]),
        ...paragraphs(isMissing(installation) ? describeMissing(installation) : '', place),
        ...plan.todos.flatMap((todo) => paragraphs(describeTodo(todo), place)),
        '',
        'Next:',
        ...next.map(({ command, effect }) =>
          effect === ''
            ? `  ${place.colors.cyan(command)}`
            : `  ${place.colors.cyan(command)}${' '.repeat(width - command.length)}  ${effect}`,
        ),
      ]
  return lines.map((line) => `${line}\n`).join('')
}

function formatFile(planned: PlannedFile, { colors, columns }: TerminalStyle): string[] {
  const sign = { create: colors.green('+'), change: colors.yellow('~'), keep: colors.dim('·') }[planned.kind]
  const line = `  ${sign} ${ACTIONS[planned.kind].padEnd(8)} ${escapeControlInLine(planned.file)}`
  if (planned.kind !== 'change') return [line]
  const added = wrapToColumns(`added: ${planned.changes.join(', ')}`, columns - 6)
  return [line, ...added.map((each) => colors.dim(`      ${each}`))]
}

function describeArticles({ articles }: InitFacts, { files }: InitPlan): string {
  if (articles === 0 || !files.some(({ kind, file }) => kind === 'create' && file === CONFIG_FILE)) return ''
  const hasCategories = files.some(({ file }) => file.endsWith('/_categories.yml'))
  const they = articles === 1 ? 'It stays' : 'They stay'
  const each = articles === 1 ? 'it needs' : 'each needs'
  return (
    `${pluralize(articles, 'Markdown file')} found. ${they} as ${articles === 1 ? 'it is' : 'they are'}; ` +
    `${each} a title and a category${hasCategories ? ' from _categories.yml' : ''}; kb check shows what is missing.`
  )
}

/** Formats the result of a check of the articles, and the settings that it proposes. */
export function formatCheck(check: InitCheck, place: TerminalStyle): string[] {
  const { articles, otherFiles, errors, warnings, sync, proposal } = check
  const found = warnings === 0 ? '' : ` and ${pluralize(warnings, 'warning')}`
  const within = `in ${pluralize(articles, 'article')}.${describeOtherFiles(otherFiles)}`
  if (sync === undefined)
    return paragraphs(`kb check finds no ${warnings === 0 ? 'problems' : `errors${found}`} ${within}`, place)
  const problem = `kb check finds ${pluralize(errors, 'error')}${found} ${within} ${describeSync(sync, articles)}`
  if (proposal === undefined || proposal.lines.length === 0) return paragraphs(problem, place)
  return [
    ...paragraphs(
      `${problem} With these settings, a first sync sends ${describeSent(check, proposal)}:`,
      place,
    ),
    '',
    ...proposal.lines.map((line) => place.colors.cyan(escapeControlInLine(line))),
  ]
}

function describeSync({ isStopped, heldBack, reason }: NonNullable<InitCheck['sync']>, articles: number) {
  if (isStopped) return 'A sync sends nothing until there are no errors.'
  if (heldBack === 0) return 'They do not stop a sync.'
  return `A sync holds back ${formatNumber(heldBack)} of ${pluralize(articles, 'article')}: ${reason}.`
}

function describeSent({ articles }: InitCheck, { heldBack }: Pick<Proposal, 'heldBack'>): string {
  if (heldBack > 0) return `${formatNumber(articles - heldBack)} of ${pluralize(articles, 'article')}`
  return articles === 1 ? 'the article' : `all ${pluralize(articles, 'article')}`
}

function describeOtherFiles(count: number): string {
  if (count === 0) return ''
  const are = count === 1 ? 'is not an article' : 'are not articles'
  return ` ${pluralize(count, 'other Markdown file')} ${are}: pages of folders or of the site, parts of articles, or excluded files.`
}

function settingsLines({ proposal }: InitCheck, place: TerminalStyle): string[] {
  if (proposal === undefined) return []
  const { lines, file, isAddable, present, isWritten } = proposal
  if (lines.length === 0) return paragraphs(describeObstacle(proposal), place)
  if (isWritten) return paragraphs(`They were added to ${file}.`, place)
  const how = isAddable
    ? `To add them to ${file}, run kb init --accept. Or fix the errors.`
    : `They could not be added to ${file}, which ${present.length === 0 ? 'may contain such settings' : `contains ${present.join(' and ')}`} already. Add them yourself, or fix the errors.`
  return paragraphs(how, place)
}

/** Returns the reason why nothing is proposed. */
function describeObstacle({ heldBack, stoppedBy, hasPreset }: NonNullable<InitCheck['proposal']>): string {
  if (stoppedBy.length > 0) {
    const named = stoppedBy.map(escapeControlInLine).join(' and ')
    return `No setting lets a first sync through while there are errors in ${named}. kb check shows them.`
  }
  return `No setting lets a first sync through: ${pluralize(heldBack, 'article')} would be held back. ${hasPreset ? 'kb check shows the errors.' : TRY_PRESET}`
}

const TRY_PRESET =
  "If the files were not written for kb-sync, set preset in kb.config.ts: to 'folder' for plain Markdown, or to the tool that they were written for."

function describeSite({ preset, content, languages }: SiteArticles, { articles, hasContent }: InitFacts) {
  if (!hasContent)
    return (
      `There was no folder ${escapeControlInLine(content)} yet, so it was created with a first article. The preset '${preset}' reads the files of a ` +
      `${dialectOf(preset).label} site as they are; kb check shows what it cannot read.`
    )
  const where = content === '.' ? 'this folder' : escapeControlInLine(content)
  const { label, isGeneric } = dialectOf(preset)
  const kinds = [
    ...(isGeneric === true ? [] : [label]),
    ...(languages > 1 ? [pluralize(languages, 'language')] : []),
  ]
  const reading =
    isGeneric === true
      ? `With the preset '${preset}', the category of an article is its folder, and its title is its first heading or its file name.`
      : `The preset '${preset}' reads them as they are; nothing is added to them.`
  const found = `${pluralize(articles, 'Markdown file')} in ${where}`
  return `Found ${found}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}. ${reading}`
}

function describeMissing(installation: Missing): string {
  if (installation.kind === 'unwanted' || installation.packedFile === undefined)
    return "kb-sync is not installed yet. Install it first: npm's kb is another program."
  return (
    'kb-sync is not installed yet, and the registry does not have it. In the repository of kb-sync, npm ci && npm pack writes ' +
    `${installation.packedFile}; install that file.`
  )
}

/** Formats the reason why kb-sync could not be installed, as a warning. */
export function formatInstallFailure(
  reason: string,
  { errColors, columns }: Pick<Terminal, 'errColors' | 'columns'>,
): string {
  const said = escapeControlInLine(`kb-sync could not be installed. ${lastWords(reason)}`)
  const [first = '', ...rest] = wrapToColumns(said, columns - 9)
  const lines = [`${errColors.yellow('warning')}: ${first}`, ...rest.map((line) => `  ${line}`)]
  return lines.map((line) => `${line}\n`).join('')
}

type Missing = Extract<Installation, { kind: 'failed' | 'unwanted' }>

function isMissing(installation: Installation): installation is Missing {
  return installation.kind === 'failed' || installation.kind === 'unwanted'
}

/** Returns the line in which a package manager reports its error. */
function lastWords(reason: string): string {
  const lines = reason.split('\n').map((line) => line.trim())
  return (
    lines.find((line) => /^(?:npm error|error|ERR_|.*\bERR!?)/i.test(line) && /\s\S+\s/.test(line)) ??
    lines[0] ??
    ''
  )
}

function describeTodo(todo: InitTodo): string {
  switch (todo.kind) {
    case 'site':
      return (
        `${escapeControlInLine(todo.file)} belongs to a ${dialectOf(todo.preset).label} site, but its documents were not found in this folder, so this is ` +
        `a separate project. To use the documents of that site, set preset: '${todo.preset}' in kb.config.ts, and set content to their folder, such as '../${todo.content}'.`
      )
    case 'translations': {
      const page = { path: 'configuration/presets.md', slug: 'presets' }
      return `The translations in ${todo.folders.map(escapeControlInLine).join(', ')} are left out. To send them as well: ${sectionUrl(page, todo.preset)}`
    }
    case 'include':
      return `Add this line to ${escapeControlInLine(todo.file)}, or its value to the existing include: ${todo.line}`
    case 'packed-file':
      return (
        `package.json installs kb-sync from ${escapeControlInLine(todo.file)}. The CI workflow can do so only if that is in the repository: commit the file. ` +
        `If it is elsewhere, copy it here first, and run ${escapeControlInLine(todo.command)}`
      )
    case 'script':
      return `package.json already has a script ${todo.name}, which does not run ${todo.name.replace(':', ' ')}. It was kept.`
    case 'keys': {
      const what = todo.system === 'github' ? 'secrets of the repository' : 'masked variables of the project'
      return `The CI workflow needs two ${what}: KB_API_KEY, and READONLY_KB_API_KEY with a read-only key for the jobs that only read.`
    }
    case 'report-key': {
      const what =
        todo.system === 'github' ? 'a secret of the repository' : 'a masked variable of the project'
      return `The report needs ${what}: READONLY_KB_API_KEY, with a read-only key.`
    }
    case 'schedule':
      return `The report runs in scheduled pipelines: create a schedule under Build > Pipeline schedules, such as ${todo.cron}`
    case 'no-report':
      return 'No report was set up, because the articles of the built-in server stay on its machine. Run kb report there.'
  }
}

function paragraphs(text: string, { columns }: TerminalStyle): string[] {
  return text === '' ? [] : ['', ...wrapToColumns(text, columns)]
}

function nextCommands({ from, root, facts, installation }: InitOutcome) {
  const { exec } = commandsOf(facts.manager)
  const way = relative(from, root)
  const folder = /\s/.test(way) ? JSON.stringify(way) : escapeControlInLine(way)
  return [
    ...(way === '' ? [] : [{ command: `cd ${folder}`, effect: '' }]),
    ...(isMissing(installation) ? [{ command: installation.command, effect: 'installs kb-sync' }] : []),
    { command: `${exec} kb check`, effect: 'finds problems in the articles' },
    { command: `${exec} kb sync`, effect: 'publishes what has changed' },
    { command: `${exec} kb watch`, effect: 'publishes each change at once, and shows the pages' },
  ]
}
