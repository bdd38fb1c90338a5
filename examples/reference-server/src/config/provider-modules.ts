import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AnyProvider } from '@sallyport/webhooks'

export interface ProviderModules {
  readonly providers: readonly AnyProvider[]
  readonly problems: readonly string[]
}

/**
 * Loads the providers that modules export by default, each one or a list.
 *
 * @param names comma separated: packages, looked for from the directory on, and paths, relative to it
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
      const { default: exported } = (await import(addressOf(name, directory))) as { default?: unknown }
      const found: readonly unknown[] = Array.isArray(exported) ? exported : [exported]
      if (found.length === 0 || !found.every(isProvider)) {
        problems.push(`PROVIDER_MODULES: the default export of "${name}" is no provider and no list of them`)
      } else {
        providers.push(...found)
      }
    } catch (error) {
      problems.push(`PROVIDER_MODULES: "${name}" cannot be loaded: ${reasonOf(error)}`)
    }
  }
  return { providers, problems }
}

function addressOf(name: string, directory: string): string {
  if (name.startsWith('file:')) return name
  if (/^(\.{0,2}\/|[A-Za-z]:\\)/.test(name)) return pathToFileURL(resolve(directory, name)).href
  try {
    return pathToFileURL(createRequire(resolve(directory, 'package.json')).resolve(name)).href
  } catch (error) {
    // A package that only `import` may load is at least found beside the server.
    if ((error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return name
    throw error
  }
}

/** What a provider has, whichever copy of the kit it was made with. */
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

/** In one line: an error of the resolver goes on with a stack of where it was required. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
