import { expect, test } from 'vitest'
import { withSettings } from '../../../src/kb/init/propose-settings.ts'

const LINES = ['  rules: {', "    'asset-missing': 'warning', // 2", '  },']
const ADDED = LINES.map((line) => `${line}\n`).join('')

test.each([
  [
    'at the end of a configuration as kb init writes it',
    "export default defineConfig({\n  project: 'p',\n\n  // sync: {},\n})\n",
    `export default defineConfig({\n  project: 'p',\n\n  // sync: {},\n\n${ADDED}})\n`,
  ],
  [
    'at the start of any other',
    "export default { project: 'p' }",
    `export default {\n${ADDED} project: 'p' }`,
  ],
  [
    'also if its last setting has no comma',
    "export default defineConfig({\n  project: 'p' // mine\n})\n",
    `export default defineConfig({\n${ADDED}\n  project: 'p' // mine\n})\n`,
  ],
  [
    'at the start if something else ends in the same way',
    "export default defineConfig({ project: 'p' })\nregister({\n  a: 1,\n})\n",
    `export default defineConfig({\n${ADDED} project: 'p' })\nregister({\n  a: 1,\n})\n`,
  ],
  [
    'with the ends of lines that the file has',
    "export default defineConfig({\r\n  project: 'p',\r\n})\r\n",
    `export default defineConfig({\r\n  project: 'p',\r\n\r\n${ADDED.replaceAll('\n', '\r\n')}})\r\n`,
  ],
  [
    'if the keys are elsewhere, such as in overrides, comments and other objects',
    'const base = { rules: {} }\nexport default { overrides: [{ rules: { ...base } }], // rules: {},\n}',
    `const base = { rules: {} }\nexport default {\n${ADDED} overrides: [{ rules: { ...base } }], // rules: {},\n}`,
  ],
])('settings are added %s', (_, config, expected) => {
  expect(withSettings(config, LINES)).toEqual({ kind: 'text', text: expected })
})

test.each([
  "export default { project: 'p', rules: {} }\n",
  "export default {\n  project: 'p',\n  rules,\n}\n",
  "export default { project: 'p', rules }\n",
  "export default { project: 'p', 'rules': {} }\n",
  'export default { note: "{ it\\"s", /* { */ "rules": {} }\n',
])('an existing key is reported: %j', (config) => {
  expect(withSettings(config, LINES)).toEqual({ kind: 'impossible', present: ['rules'] })
})

test.each([
  "export default { ...base, project: 'p' }\n",
  "const config = { project: 'p' }\nexport default config\n",
  "/*\nexport default {\n*/\nexport default { project: 'p' }\n",
])('no settings are added to %j', (config) => {
  expect(withSettings(config, LINES)).toEqual({ kind: 'impossible', present: [] })
})

test('no settings are not added', () => {
  expect(withSettings("export default { project: 'p' }\n", []).kind).toBe('impossible')
})
