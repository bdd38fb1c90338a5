import { readdirSync, readFileSync } from 'node:fs'

/** `USER_HZ` of Linux on all platforms of Node.js. */
const ticksPerSecond = 100

interface ProcessUsage {
  readonly command: string
  /** Used CPU time in milliseconds. */
  readonly ms: number
}

/** Reads `/proc/<pid>/stat`, or returns undefined if the process has ended. */
function readUsage(pid: string): ProcessUsage | undefined {
  try {
    const [, command = '', rest = ''] =
      /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = rest.split(' ')
    return { command, ms: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond }
  } catch {
    return undefined
  }
}

/** Returns the CPU time of some processes, in milliseconds. */
export const readCpuTime = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (readUsage(String(pid))?.ms ?? 0), 0)

/** Returns the CPU time of all processes of a program, such as `postgres`, in milliseconds. */
export function readCpuTimeByName(command: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids
    .map(readUsage)
    .filter((usage) => usage?.command === command)
    .reduce((sum, usage) => sum + (usage?.ms ?? 0), 0)
}
