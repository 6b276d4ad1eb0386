import type { PresetName } from '../../core/model/preset-name.ts'
import { docusaurusRules } from './docusaurus.ts'
import type { PresetRules } from './field-rule.ts'
import { hugoRules } from './hugo.ts'
import { vitepressRules } from './vitepress.ts'

export const PRESET_RULES: Readonly<Record<PresetName, PresetRules>> = {
  docusaurus: docusaurusRules,
  vitepress: vitepressRules,
  hugo: hugoRules,
}
