import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'

/** Where a benchmark is, beside what it is. */
export interface Entry {
  /** `<area>/<name>`; unique. */
  readonly id: string
  readonly file: URL
  readonly benchmark: Benchmark
}

const source = new URL('../', import.meta.url)

/** All benchmarks: what the files `src/<area>/<name>.bench.ts` have as their default exports, one or a list. */
export async function readCatalogue(folder: URL = source): Promise<readonly Entry[]> {
  const files = globSync('*/*.bench.ts', { cwd: fileURLToPath(folder) }).sort()
  const entries: Entry[] = []
  for (const path of files) {
    const file = new URL(path, folder)
    const { default: declared } = (await import(file.href)) as { default: Benchmark | readonly Benchmark[] }
    for (const benchmark of [declared].flat()) {
      const id = `${dirname(path)}/${benchmark.name}`
      if (entries.some((entry) => entry.id === id)) throw new TypeError(`There are two benchmarks ${id}`)
      entries.push({ id, file, benchmark })
    }
  }
  return entries
}

/**
 * The entries whose ids begin with one of the names, or have one as their last part; all without names.
 *
 * @throws TypeError that lists what there is, for a name that is nobody's
 */
export function select(entries: readonly Entry[], names: readonly string[]): readonly Entry[] {
  const isNamed = ({ id }: Entry, name: string) => id.startsWith(name) || id.endsWith(`/${name}`)
  const unknown = names.find((name) => !entries.some((entry) => isNamed(entry, name)))
  if (unknown !== undefined) {
    const ids = entries.map(({ id }) => `  ${id}`)
    throw new TypeError(`There is no benchmark ${unknown}. There are:\n${ids.join('\n')}`)
  }
  return names.length === 0 ? entries : entries.filter((entry) => names.some((name) => isNamed(entry, name)))
}
