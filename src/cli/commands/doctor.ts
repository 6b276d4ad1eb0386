import type { DoctorPhase } from '../../inspect/doctor/doctor-options.ts'
import { createKb } from '../../kb/create-kb.ts'
import type { DoctorOptions } from '../../kb/options.ts'
import type { RunCommand } from './run-on-project.ts'
import { exitCodeOfFindings } from '../results/exit-code.ts'
import { formatDoctor, formatDoctorJson } from '../results/format-doctor.ts'
import { listenForInterruption } from '../terminal/interruption.ts'

const PHASES: Readonly<Record<DoctorPhase, string>> = {
  files: 'Reading the files…',
  target: 'Querying the target…',
  probe: 'Testing with a hidden draft…',
}

export const runDoctorCommand: RunCommand<Pick<DoctorOptions, 'target' | 'probe'>> = async (
  _args,
  options,
  terminal,
) => {
  const { quiet = false, verbose = false, json = false } = options
  const { signal, stop } = listenForInterruption(terminal)
  try {
    const report = await createKb({ cwd: options.cwd, config: options.config }).doctor({
      target: options.target,
      probe: options.probe,
      onPhase: (phase) => (quiet || json ? undefined : terminal.status(PHASES[phase])),
      signal,
    })
    terminal.status('')
    terminal.out(json ? formatDoctorJson(report) : formatDoctor(report, { quiet, verbose }, terminal))
    return exitCodeOfFindings(report.findings)
  } finally {
    terminal.status('')
    stop()
  }
}
