import { once } from 'node:events'
import { projectOf } from '../../kb/create-kb.ts'
import type { ServeOptions } from '../../kb/options.ts'
import { serve, type ServeEvent } from '../../kb/serve.ts'
import { asText, createLog, createStderrDestination } from '../../server/observe/create-log.ts'
import type { ServerLog } from '../../server/observe/server-log.ts'
import { printDiagnostics } from '../diagnostics/print-diagnostics.ts'
import { printMessage } from '../terminal/print-message.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { RunCommand } from './run-on-project.ts'

export const runServe: RunCommand<ServeOptions, void> = async (
  _args,
  { cwd, config, json = false, ...options },
  terminal,
) => {
  const destination = createStderrDestination()
  const { stream } = destination
  const log = process.stderr.isTTY
    ? createLog(options.logLevel ?? 'warn', asText(stream))
    : createLog(options.logLevel ?? 'info', stream)
  const stop = new AbortController()
  const onEvent = async (event: ServeEvent) => {
    // A program that reads this event may stop the server at once.
    if (event.kind === 'listening') void stopSignal().then((name) => stop.abort(name))
    await report(event, json, log, terminal)
  }
  try {
    await serve(projectOf({ cwd, config }), options, { signal: stop.signal, log, onEvent })
  } finally {
    await destination.close()
  }
}

/** Results go to stdout. On stderr, a terminal gets text; otherwise it is the log. */
async function report(event: ServeEvent, json: boolean, log: ServerLog, terminal: Terminal): Promise<void> {
  const isRead = process.stderr.isTTY
  switch (event.kind) {
    case 'opening': {
      const { db, folder } = event
      const why =
        'No kb.config.ts was found in this folder or above, so the defaults apply. To serve a project, use --cwd DIR; to make one, run npx kb-sync init.'
      if (isRead) printMessage(terminal, `${folder === undefined ? '' : `${why} `}The database is ${db}.`)
      else if (folder !== undefined) log.write('warn', why, { folder, db })
      return
    }
    case 'listening': {
      const { kind, url, pages, metrics } = event
      if (json) terminal.out(`${JSON.stringify({ event: kind, url, pages, metrics })}\n`)
      else terminal.out(`listening on ${url}\n${pages === undefined ? '' : `pages on ${pages}\n`}`)
      // The log already contains it.
      if (metrics !== undefined && isRead) terminal.err(`metrics on ${metrics}\n`)
      return
    }
    case 'key-created':
      // The key is shown only once, and only on a terminal, because logs are stored.
      if (isRead) terminal.err(`A new API key was created and stored in ${event.file}:\n${event.key}\n`)
      else log.write('info', 'an API key was created', { file: event.file })
      return
    case 'warning':
      if (isRead) terminal.err(`warning: ${event.message}\n`)
      else log.write('warn', event.message)
      return
    case 'invalid-taxonomy': {
      const { err: out, errColors: colors, columns } = terminal
      await printDiagnostics(event.diagnostics, event.root, { out, colors, columns }, undefined, true)
    }
  }
}

/** Resolves to the first signal. A second one has no listener, so it ends the process. */
async function stopSignal(): Promise<NodeJS.Signals> {
  const controller = new AbortController()
  const { signal } = controller
  const wait = (name: NodeJS.Signals) => once(process, name, { signal }).then(() => name)
  // SIGHUP is sent when the terminal is closed.
  const first = await Promise.race([wait('SIGINT'), wait('SIGTERM'), wait('SIGHUP')])
  controller.abort()
  return first
}
