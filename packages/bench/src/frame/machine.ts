import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg } from 'node:os'

/** The environment of a measurement. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  /** Load average of the minute before the run. */
  readonly loadAverage: number
  /** The measured commit, with a `+` if there are uncommitted changes. */
  readonly commit: string
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    loadAverage: loadavg()[0] ?? 0,
    commit: commit(),
  }
}

function commit(): string {
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', ':/packages', ':/examples')
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}
