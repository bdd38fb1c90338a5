import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { AnyProvider } from '../index.ts'

/** The result of loading provider modules. */
export interface ProviderModules {
  readonly providers: readonly AnyProvider[]
  /** The reasons why modules cannot be used, one line per module. */
  readonly problems: readonly string[]
}

/**
 * Loads the providers that modules export by default, as one provider or an array. Operators of a host can thus add
 * providers by name. Modules that cannot be loaded become problems; the function does not reject.
 *
 * @param names packages and paths, separated by commas
 * @param directory where the search for packages and relative paths starts, such as `process.cwd()`
 *
 * @example
 * ```ts
 * import { loadProviderModules } from '@sallyport/webhooks/node'
 *
 * const { providers, problems } = await loadProviderModules('./doorbell.js, some-bells', process.cwd())
 * ```
 */
export async function loadProviderModules(
  names: string | undefined,
  directory: string,
): Promise<ProviderModules> {
  const providers: AnyProvider[] = []
  const problems: string[] = []
  const wanted = (names ?? '').split(',').map((name) => name.trim())
  for (const name of new Set(wanted.filter((one) => one !== ''))) {
    try {
      // The comments stop bundlers from resolving the import.
      const address = resolveModule(name, directory)
      const { default: exported } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ address)) as {
        default?: unknown
      }
      const found: readonly unknown[] = Array.isArray(exported) ? exported : [exported]
      if (found.length === 0 || !found.every(isProvider)) {
        problems.push(`the default export of "${name}" is not a provider or an array of providers`)
      } else {
        providers.push(...found)
      }
    } catch (error) {
      problems.push(`"${name}" cannot be loaded: ${getReason(error)}`)
    }
  }
  return { providers, problems }
}

/** Checks the members, because the provider can come from another copy of the package. */
function isProvider(value: unknown): value is AnyProvider {
  if (typeof value !== 'object' || value === null) return false
  const { name, signature, events, normalize } = value as Record<string, unknown>
  return (
    typeof name === 'string' &&
    typeof normalize === 'function' &&
    typeof events === 'object' &&
    events !== null &&
    isScheme(signature)
  )
}

function isScheme(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { headers, verify } = value as Record<string, unknown>
  return Array.isArray(headers) && typeof verify === 'function'
}

/** Returns the first line of a message: errors of the resolver continue with a stack. */
const getReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''

/** The conditions of `import`. Node resolves imports only relative to the importing module. */
const conditions: ReadonlySet<string> = new Set(['import', 'module-sync', 'node', 'default'])

/**
 * Resolves a path or a package name from a directory to a URL.
 *
 * @throws Error if no package exports the name
 */
function resolveModule(name: string, directory: string): string {
  if (name.startsWith('file:')) return name
  if (/^(\.{0,2}\/|[A-Za-z]:\\)/.test(name)) return pathToFileURL(resolve(directory, name)).href
  const require = createRequire(resolve(directory, 'package.json'))
  const exported = findExport(name, require.resolve.paths(name) ?? [])
  return pathToFileURL(exported ?? require.resolve(name)).href
}

/** Finds the file that the nearest package exports. @returns undefined for a package without `exports` */
function findExport(name: string, folders: readonly string[]): string | undefined {
  const [, packageName = '', subpath = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(name) ?? []
  const found = folders.map((folder) => join(folder, packageName)).find((folder) => existsSync(folder))
  if (found === undefined || !existsSync(join(found, 'package.json'))) return undefined
  const { exports } = JSON.parse(readFileSync(join(found, 'package.json'), 'utf8')) as { exports?: unknown }
  const target = matchExport(exports, `.${subpath}`)
  return target === undefined ? undefined : join(found, target)
}

function matchExport(exports: unknown, subpath: string): string | undefined {
  const isMap = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'))
  const entries = isMap ? exports : { '.': exports }
  if (Object.hasOwn(entries, subpath)) return chooseTarget(entries[subpath])
  // The pattern with the longest prefix wins, as in Node.
  const patterns = Object.keys(entries).sort((one, other) => other.indexOf('*') - one.indexOf('*'))
  for (const pattern of patterns) {
    const [before = '', after] = pattern.split('*')
    if (after === undefined || subpath.length < pattern.length) continue
    if (!subpath.startsWith(before) || !subpath.endsWith(after)) continue
    const matched = subpath.slice(before.length, subpath.length - after.length)
    return chooseTarget(entries[pattern])?.replaceAll('*', () => matched)
  }
  return undefined
}

function chooseTarget(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (!isObject(target)) return undefined
  for (const [condition, inner] of Object.entries(target)) {
    const chosen = conditions.has(condition) || Array.isArray(target) ? chooseTarget(inner) : undefined
    if (chosen !== undefined) return chosen
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
