// The command that looks at what is on the target.
import { Command, InvalidArgumentError, Option } from 'commander'
import { THRESHOLDS, type ThresholdName } from '../../core/model/threshold.ts'
import { OWNER_SOURCES, OWNERS_SHOWN, type OwnersShown } from '../../inspect/report/report.ts'
import type { ReportCommandOptions } from '../commands/report.ts'
import { common, type SetExitCode } from './common-flags.ts'
import { parseFilled } from './parse-filled.ts'
import { collectValue, parseConcurrency } from './parse-options.ts'
import { REPORT_FORMATS } from '../report/report-formats.ts'
import type { Terminal } from '../terminal/terminal.ts'

export function reportCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return common(new Command('report'))
    .description('say which articles are due for review and which links are dead, and where to fix them')
    .argument('[paths...]', 'articles or folders to report on (default: all that is on the target)')
    .option('--target <name>', 'a target of the configuration, or builtin')
    .addOption(new Option('--format <format>', 'how to print the report').choices(REPORT_FORMATS))
    .option('--json', 'the same as --format json')
    .option('--out <file>', 'write it to a file; its name decides the format if no flag does', parseFilled)
    .option('--due-within <days>', 'days in which a review counts as due (default: 30)', parseDays)
    .option(
      '--fail-on <list>',
      'end with exit code 1 if there are any: overdue, broken, due',
      parseThresholds,
    )
    .option('--max-overdue <n>', 'overdue articles from which on it fails, if there are more', parseCount)
    .option(
      '--ignore-links <pattern>',
      'addresses to leave out, with * for anything (repeatable)',
      collectValue,
    )
    .option('--baseline <file>', 'accept what this file lists (default: report.baseline)', parseFilled)
    .option('--write-baseline', 'accept all that is found: write the baseline')
    .addOption(
      new Option('--owners [what]', 'name whom to ask: names, or with addresses as email')
        .choices(OWNERS_SHOWN)
        .argParser(parseOwners),
    )
    .addOption(new Option('--owners-from <source>', 'where owners are looked up').choices(OWNER_SOURCES))
    .option('--external', 'ask whether links to other sites work, and compare')
    .option('--check-private-links', 'with --external: connect to private addresses, too')
    .option('--no-history', 'neither compare with earlier reports nor remember this one')
    .option('--concurrency <n>', 'requests at one time', parseConcurrency)
    .action(async (paths: string[], options: ReportCommandOptions) => {
      const { reportOnTarget } = await import('../commands/report.ts')
      setExitCode(await reportOnTarget(paths, options, terminal))
    })
}

function parseDays(value: string): number {
  const days = Number(/^(\d{1,4})d?$/.exec(value)?.[1])
  if (Number.isInteger(days)) return days
  throw new InvalidArgumentError('It must be a whole number of days from 0 to 9999, such as 30 or 30d.')
}

function parseCount(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a whole number from 0 to 999999999.')
}

function parseThresholds(value: string): readonly ThresholdName[] {
  const names = value.split(',').map((name) => name.trim())
  if (names.every(isThreshold)) return [...new Set(names)]
  throw new InvalidArgumentError(
    `It must be one or several of ${THRESHOLDS.join(', ')}, with commas between.`,
  )
}

function isThreshold(name: string): name is ThresholdName {
  return (THRESHOLDS as readonly string[]).includes(name)
}

/** What follows without `=` may be a path that was meant. */
function parseOwners(value: string): OwnersShown {
  const known = OWNERS_SHOWN.find((each) => each === value)
  if (known !== undefined) return known
  throw new InvalidArgumentError('It must be names or email; paths go before --owners.')
}
