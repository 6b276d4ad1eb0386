import { basename, join } from 'node:path'
import { PRESET_DEFAULTS } from '../../../core/model/preset-defaults.ts'
import type { BareSite } from './recognised-site.ts'
import { readHugoConfig } from '../../../core/config/read-hugo-config.ts'
import { findScript } from '../../../core/config/script-values.ts'

/** What a folder is that `recogniseSite` knows nothing of, where it has the configuration of a tool all the same. */
export function findBareSite(root: string): BareSite | undefined {
  const script = findScript(join(root, 'docusaurus.config'))
  if (script !== undefined) return bareSite('docusaurus', basename(script))
  const file = readHugoConfig(root)?.file
  return file === undefined ? undefined : bareSite('hugo', file)
}

function bareSite(preset: BareSite['preset'], file: string): BareSite {
  return { preset, file, content: PRESET_DEFAULTS[preset].content }
}
