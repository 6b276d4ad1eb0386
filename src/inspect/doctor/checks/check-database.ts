import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import type { Settings } from '../../../core/config/settings.ts'
import type { DatabaseReport, DoctorOptions } from '../doctor-options.ts'
import { failureOf, type Finding, ok } from '../finding.ts'
import { counted } from '../../../core/counted.ts'

export interface CheckedDatabase {
  readonly finding: Finding
  /** Undefined where there is none, or none that can be used. */
  readonly database: DatabaseReport | undefined
}

/** The built-in server's database; where there is none, none is made. */
export async function checkDatabase(
  { root, server }: Settings,
  inspectDatabase: DoctorOptions['inspectDatabase'],
): Promise<CheckedDatabase> {
  const name = relative(root, server.db)
  if (!existsSync(server.db)) {
    const finding = ok('database.file', `there is no ${name} yet; the first kb sync makes it`)
    return { finding, database: undefined }
  }
  try {
    const database = await inspectDatabase(server.db)
    const holds = counted(database.articles, 'article')
    return { finding: ok('database.file', `${name} is whole and holds ${holds}`), database }
  } catch (error) {
    return { finding: failureOf('database.file', error), database: undefined }
  }
}
