import type { Settings } from '../../../core/config/settings.ts'
import { resolveParser } from '../../../content/parser/resolve-parser.ts'
import { reasonOf } from '../../../core/errors/kb-error.ts'
import { readProgramVersion } from '../../../core/version.ts'
import { failure, type Finding, ok, warning } from '../finding.ts'

/** The oldest Node.js that is supported, as in package.json. */
const OLDEST_NODE = [20, 19] as const

interface Runtime {
  readonly version: string
  readonly platform: string
  readonly arch: string
}

export function checkVersion({ version, platform, arch }: Runtime): Finding {
  const message = `kb-sync ${readProgramVersion()} on Node.js ${version.replace(/^v/, '')}, ${platform} ${arch}`
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])
  return isOld
    ? failure(
        'program.version',
        `${message} is too old.`,
        `Install Node.js ${OLDEST_NODE.join('.')} or newer.`,
      )
    : ok('program.version', message)
}

export async function checkParser({ render }: Pick<Settings, 'render'>): Promise<Finding> {
  try {
    const { kind, fallback } = await resolveParser(render)
    if (fallback === undefined) {
      return ok('program.parser', kind === 'native' ? 'the native Markdown parser runs' : 'remark-parse runs')
    }
    return warning(
      'program.parser',
      `The native Markdown parser cannot run here (${fallback}); remark-parse runs instead. Its output may differ from that of other machines.`,
      "Install @bruits/satteri-wasm32-wasi for the same output, or set markdown.parser to 'remark' everywhere.",
    )
  } catch (error) {
    // A plugin of the user's own may throw anything.
    return failure(
      'program.parser',
      `A plugin of markdown.remarkPlugins fails: ${reasonOf(error)}`,
      'Correct it in the configuration.',
    )
  }
}
