import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { describeDatabase, isDatabaseUrl } from '../../../core/database-url.ts'
import type { Settings } from '../../../core/config/settings.ts'
import type { CheckedFiles } from './check-files.ts'
import { checkLanguages } from './check-fit.ts'
import type { RunDoctorOptions } from '../doctor-options.ts'
import { failureOf, type Finding, judgeComments, ok, warning } from '../finding.ts'
import type { TargetFindings } from '../doctor-report.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { pluralize } from '../../../core/pluralize.ts'

const NEARLY_FULL = 0.9

/** Does not start the built-in server, because opening its database would write to it. Its capabilities are known. */
export async function checkBuiltin(
  settings: Settings,
  content: CheckedFiles['content'],
  inspectDatabase: RunDoctorOptions['inspectDatabase'],
): Promise<TargetFindings> {
  const { finding, database } = await checkDatabase(settings, inspectDatabase)
  return {
    findings: [
      finding,
      ok('connection.answer', 'kb starts the built-in server itself when it needs it'),
      judgeLimit(database?.articles ?? 0, database?.articleLimit ?? settings.server.articleLimit),
      ok('target.update', 'articles are updated in place and keep their ids'),
      checkLanguages({
        extensions: ['update', 'languages'],
        // The server enables the configured languages when it starts.
        enabled: [...settings.server.languages, ...(database?.languages ?? [])],
        content,
        settings,
      }),
      judgeComments('target.comments', true),
      ok('target.slugs', 'articles are updated in place, so none exists twice'),
      ok('target.categories', 'missing categories of the files are created'),
      ok('target.tags', 'missing tags of the files are created'),
    ],
    requests: {},
    obstacle: database === undefined ? 'there is no usable database; run kb sync first' : undefined,
  }
}

function judgeLimit(articles: number, limit: number): Finding {
  const message = `${pluralize(articles, 'article')} of at most ${formatNumber(limit)}`
  return articles < limit * NEARLY_FULL
    ? ok('target.limit', message)
    : warning(
        'target.limit',
        `The database is nearly full: ${message}.`,
        'Raise server.articleLimit, or use kb admin limits.',
      )
}

/** Checks the built-in server's database. Does not create one. */
async function checkDatabase(settings: Settings, inspectDatabase: RunDoctorOptions['inspectDatabase']) {
  const { root, server } = settings
  const isUrl = isDatabaseUrl(server.db)
  const name = isUrl ? describeDatabase(server.db) : relative(root, server.db)
  if (!isUrl && !existsSync(server.db)) {
    const finding = ok('database.file', `there is no ${name} yet; the first kb sync creates it`)
    return { finding, database: undefined }
  }
  try {
    const database = await inspectDatabase(server.db)
    if (database === undefined) {
      const finding = ok(
        'database.file',
        `${name} has no tables yet; the first kb sync or kb serve creates them`,
      )
      return { finding, database }
    }
    const holds = pluralize(database.articles, 'article')
    return { finding: ok('database.file', `${name} is intact and contains ${holds}`), database }
  } catch (error) {
    return { finding: failureOf('database.file', error), database: undefined }
  }
}
