import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../', import.meta.url))

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
}

/** Every entry of every package that is published, as it is imported. */
export function publicEntries(): readonly string[] {
  return globSync('*/package.json', { cwd: packages })
    .map((path) => JSON.parse(readFileSync(packages + path, 'utf8')) as Manifest)
    .filter((manifest) => manifest.private !== true)
    .flatMap(({ name, exports = {} }) => Object.keys(exports).map((path) => name + path.slice(1)))
    .filter((entry) => !entry.endsWith('.json'))
    .sort()
}
