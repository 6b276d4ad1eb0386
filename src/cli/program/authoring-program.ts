// The commands for whoever writes: they need no target.
import { Command, Option } from 'commander'
import { PRESET_NAMES } from '../../core/dialects/dialects.ts'
import type { CheckCommandOptions } from '../commands/check.ts'
import type { InitCommandOptions } from '../commands/init.ts'
import type { MoveCommandOptions } from '../commands/mv.ts'
import type { NewCommandOptions } from '../commands/new.ts'
import { common, type SetExitCode } from './common-flags.ts'
import type { CommonOptions } from '../commands/common-options.ts'
import { CHECK_FORMATS } from '../diagnostics/check-formats.ts'
import { parseFilled } from './parse-filled.ts'
import {
  collectValue,
  collectCi,
  parseContentDir,
  parseLanguageCode,
  parseTargetUrl,
} from './parse-options.ts'
import type { Terminal } from '../terminal/terminal.ts'

export function initCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return common(new Command('init'))
    .description('make a folder a knowledge base: configuration, first article, pipeline')
    .argument('[dir]', 'the folder (default: the current one)')
    .option('--content <dir>', 'the folder for articles (default: content)', parseContentDir)
    .addOption(
      new Option(
        '--preset <tool>',
        'the site whose documents are read as they are (default: the one that is there)',
      ).choices([...PRESET_NAMES, 'none']),
    )
    .option('--url <url>', 'the address of a remote target (default: the built-in server)', parseTargetUrl)
    .option('--language <code>', 'the language of the articles (default: en)', parseLanguageCode)
    .option('--ci <system>', 'a pipeline: github, gitlab or none (repeatable)', collectCi)
    .option('--report', 'with a pipeline: report due reviews and dead links on a schedule')
    .option('--no-install', 'install nothing')
    .option('-y, --yes', 'ask nothing: what no flag says is as by default')
    .option('--json', 'one JSON document on stdout')
    .action(async (folder: string | undefined, options: InitCommandOptions) => {
      const { init } = await import('../commands/init.ts')
      const conversation = { input: process.stdin, output: process.stderr }
      setExitCode(await init(folder ?? '.', options, terminal, conversation))
    })
}

export function newCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return common(new Command('new'))
    .description('write the file of a new article')
    .argument('<title>', 'its title, in quotes')
    .option('--category <name>', 'a category: slug, name or path (repeatable)', collectValue)
    .option('--tag <name>', 'a tag: slug or name (repeatable)', collectValue)
    .option('--language <code>', 'its language (default: defaultLanguage)', parseFilled)
    .option('--translation-of <article>', 'the original that it translates: slug or path', parseFilled)
    .option('--slug <slug>', 'its slug (default: made from the title)', parseFilled)
    .option('--dir <folder>', 'its folder (default: where articles like it are)', parseFilled)
    .option('--dry-run', 'show the file, write nothing')
    .option('--json', 'one JSON document on stdout')
    .action(async (title: string, options: NewCommandOptions) => {
      const { runNew } = await import('../commands/new.ts')
      const conversation = { input: process.stdin, output: process.stderr }
      setExitCode(await runNew(title, options, terminal, conversation))
    })
}

export function moveCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return common(new Command('mv'))
    .description('move an article, an image or a folder, and rewrite every link to it')
    .argument('<old>', 'file or folder')
    .argument('<new>', 'its new path, or a folder to move it into')
    .option('--new-slug', 'let articles get another slug, and so another address, from their new name')
    .option('--dry-run', 'show every link that would be rewritten; write nothing')
    .option('--json', 'one JSON document on stdout')
    .action(async (from: string, to: string, options: MoveCommandOptions) => {
      const { runMove } = await import('../commands/mv.ts')
      setExitCode(await runMove(from, to, options, terminal))
    })
}

export function checkCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return common(new Command('check'))
    .description('read, check and render the articles; send nothing')
    .argument('[paths...]', 'articles or folders to report on (default: all)')
    .addOption(new Option('--format <format>', 'how to print problems').choices(CHECK_FORMATS))
    .option('--fix', 'repair what is safe: dates, slugs, keys, white space at line ends')
    .option('--external', 'ask whether links to other sites work')
    .option('--check-private-links', 'with --external: connect to private addresses, too')
    .option('--json', 'the same as --format json')
    .action(async (paths: string[], options: CheckCommandOptions) => {
      const { checkContent } = await import('../commands/check.ts')
      setExitCode(await checkContent(paths, options, terminal))
    })
}

export function assetsCommand(terminal: Terminal, setExitCode: SetExitCode): Command {
  return common(new Command('assets'))
    .description('copy the images and files that articles use into a folder to be published')
    .argument('<folder>', 'where to copy them; what is there already stays', parseFilled)
    .option('--dry-run', 'show what would be copied')
    .option('--json', 'one JSON document on stdout')
    .action(async (folder: string, options: CommonOptions) => {
      const { publishAssets } = await import('../commands/assets.ts')
      setExitCode(await publishAssets(folder, options, terminal))
    })
}

export function explainCommand(terminal: Terminal): Command {
  return common(new Command('explain'))
    .description('tell what a code of a problem or an error means, and what to do')
    .argument('[code]', 'such as slug-invalid or TARGET_UNREACHABLE (default: list all)')
    .option('--json', 'one JSON document on stdout')
    .action(async (code: string | undefined, options: CommonOptions) => {
      const { explain } = await import('../commands/explain.ts')
      await explain(code, options, terminal)
    })
}
