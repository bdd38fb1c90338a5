import { readdirSync, readFileSync } from 'node:fs'

/** `USER_HZ` of Linux on every machine that Node runs on. */
const ticksPerSecond = 100

interface Standing {
  readonly command: string
  /** Processor time that it has used, in milliseconds. */
  readonly ms: number
}

/** Of a process, from `/proc/<pid>/stat`; undefined once it has ended. */
function standingOf(pid: string): Standing | undefined {
  try {
    const [, command = '', rest = ''] =
      /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = rest.split(' ')
    return { command, ms: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond }
  } catch {
    return undefined
  }
}

/** Processor time that these processes have used, in milliseconds. */
export const processorTimeOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (standingOf(String(pid))?.ms ?? 0), 0)

/** The same of everybody with the name of a program, such as `postgres`. */
export function processorTimeOfAll(command: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids
    .map(standingOf)
    .filter((standing) => standing?.command === command)
    .reduce((sum, standing) => sum + (standing?.ms ?? 0), 0)
}
