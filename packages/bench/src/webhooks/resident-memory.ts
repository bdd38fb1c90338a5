import { readFileSync } from 'node:fs'
import type { RunningSide } from '../frame/http.ts'

/** Reads the resident memory of a process on Linux, in megabytes. */
export function readResidentMb({ pid = process.pid }: RunningSide): number {
  const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1000
}
