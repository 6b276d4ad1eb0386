import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProject } from '../../../src/plugins/vite/vite-project.ts'
import { createProject, type Files } from '../../support/project.ts'

const CONFIG = 'kb.config.ts'

test.each<[string, Files, string | undefined, string, string | undefined]>([
  ['has a configuration', { 'site/kb.config.mjs': '', [CONFIG]: '' }, undefined, 'site', undefined],
  ['has content of its own', { 'site/content/a.md': '', [CONFIG]: '' }, undefined, 'site', undefined],
  ['lies below a configuration', { 'site/index.html': '', [CONFIG]: '' }, undefined, '.', undefined],
  ['lies below none', { 'site/index.html': '' }, undefined, 'site', undefined],
  ['names a file in it', { 'site/conf/a.ts': '' }, 'conf/a.ts', 'site', 'conf/a.ts'],
  ['names a file above it', { 'site/a': '', 'kb.ts': '' }, '../kb.ts', '.', 'kb.ts'],
])('where the root %s', (_, files, config, cwd, found) => {
  const { root } = createProject(files)
  expect(findProject(join(root, 'site'), config)).toEqual({ cwd: join(root, cwd), config: found })
})
