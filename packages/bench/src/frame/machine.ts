import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

/** The environment of a measurement. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  /** Load average of the minute before the run. */
  readonly loadAverage: number
  readonly node: string
  /** The measured commit, with a `+` if there are uncommitted changes. */
  readonly commit: string
  /** The measured libraries with their versions. */
  readonly packages: Readonly<Record<string, string>>
}

export function describeMachine(): Machine {
  const manifest = new URL('../../package.json', import.meta.url)
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
  const libraries = Object.keys(dependencies).filter((name) => !name.startsWith('@sallyport/'))
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    loadAverage: loadavg()[0] ?? 0,
    node: process.versions.node,
    commit: commit(),
    packages: Object.fromEntries(libraries.map((name) => [name, readVersion(name)])),
  }
}

interface Manifest {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function readVersion(name: string): string {
  const file = findPackageJSON(name, import.meta.url)
  if (file === undefined) return 'not installed'
  return (JSON.parse(readFileSync(file, 'utf8')) as Manifest).version ?? 'unknown'
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
