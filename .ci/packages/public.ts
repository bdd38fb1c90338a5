import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The fields of a package.json that the checks read. */
interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  /** A file of data has a path instead of conditions. */
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>> | string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

export interface PublicPackage {
  /** The folder relative to the root, such as `packages/errors`. */
  readonly folder: string
  readonly manifest: Manifest
}

/** A public entry of a package. */
export interface Entry {
  /** The import specifier, such as `@sallyport/webhooks/fetch`. */
  readonly specifier: string
  /** The files of the entry by export condition. */
  readonly files: Readonly<Record<string, string>>
}

/** Lists the published packages, sorted by folder. */
export function publicPackages(workspace = root): readonly PublicPackage[] {
  return globSync('packages/*/package.json', { cwd: workspace })
    .sort()
    .map((path) => ({
      folder: dirname(path),
      manifest: JSON.parse(readFileSync(join(workspace, path), 'utf8')) as Manifest,
    }))
    .filter(({ manifest }) => manifest.private !== true)
}

/**
 * Lists the modules in the `exports` of a package, without patterns such as `./*` for the services. A command has none.
 */
export const listEntries = ({ manifest }: PublicPackage): readonly Entry[] =>
  Object.entries(manifest.exports ?? {}).flatMap(([path, files]) =>
    path.includes('*') || typeof files === 'string'
      ? []
      : [{ specifier: manifest.name + path.slice(1), files }],
  )

/** Lists the files of data in the `exports` of a package, without patterns. */
export const listDataFiles = ({ manifest }: PublicPackage): readonly string[] =>
  Object.entries(manifest.exports ?? {}).flatMap(([path, file]) =>
    typeof file === 'string' && !path.includes('*') ? [file] : [],
  )
