import { type DoctorReport, summariseFindings, worstFinding } from '../../inspect/doctor/doctor-report.ts'
import { formatJson } from '../text/format-json.ts'

/** `error` repeats the failure that decides the exit code, where one of the catalogue does. */
export function formatDoctorJson(report: DoctorReport): string {
  const { findings, requests, target = null } = report
  const worst = worstFinding(findings)
  const error =
    worst?.code === undefined ? undefined : { code: worst.code, message: worst.message, hint: worst.hint }
  return formatJson({
    version: 1,
    target,
    summary: summariseFindings(findings),
    findings,
    requests,
    ...(error !== undefined && { error }),
  })
}
