import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from './benchmark.ts'

/** A benchmark with its id and file. */
export interface Entry {
  /** `<area>/<name>`; unique. */
  readonly id: string
  readonly file: URL
  readonly benchmark: Benchmark
}

const source = new URL('../', import.meta.url)

/** Reads all benchmarks: the default exports of `src/<area>/<name>.bench.ts`, each a benchmark or a list. */
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
 * Returns the entries whose id starts with one of the names or ends with one as its last part; without names, all.
 *
 * @throws TypeError with a list of all ids for an unknown name
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
