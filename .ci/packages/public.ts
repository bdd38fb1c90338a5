import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** What is read of a package.json. */
interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

export interface PublicPackage {
  /** From the top of the repository, such as `packages/errors`. */
  readonly folder: string
  readonly manifest: Manifest
}

/** A module that a package lets others import. */
export interface Entry {
  /** What is written in an import, such as `@sallyport/webhooks/fetch`. */
  readonly specifier: string
  /** Its module in the package's folder, by the name of the export condition. */
  readonly files: Readonly<Record<string, string>>
}

/** Every package that is published, in the order of their folders. */
export function publicPackages(workspace = root): readonly PublicPackage[] {
  return globSync('packages/*/package.json', { cwd: workspace })
    .sort()
    .map((path) => ({
      folder: dirname(path),
      manifest: JSON.parse(readFileSync(join(workspace, path), 'utf8')) as Manifest,
    }))
    .filter(({ manifest }) => manifest.private !== true)
}

/** What a package's `exports` name. A command has none. */
export const entriesOf = ({ manifest }: PublicPackage): readonly Entry[] =>
  Object.entries(manifest.exports ?? {}).map(([path, files]) => ({
    specifier: manifest.name + path.slice(1),
    files,
  }))
