import type { AnyProvider } from '../index.ts'
import { moduleAddress } from './load-provider-modules-address.ts'

/** What modules hold that are named in a setting. */
export interface ProviderModules {
  readonly providers: readonly AnyProvider[]
  /** Why some cannot be used, a line each that names the module. */
  readonly problems: readonly string[]
}

/**
 * Loads the providers that modules export by default, each one or a list: for hosts whose operators add some by name.
 *
 * Rejects for none: what cannot be loaded, or is no provider, is among the problems.
 *
 * @param names comma separated: packages, looked for from the directory on, and paths, relative to it
 * @param directory such as `process.cwd()`
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
      // No bundler can know what it is.
      const address = moduleAddress(name, directory)
      const { default: exported } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ address)) as {
        default?: unknown
      }
      const found: readonly unknown[] = Array.isArray(exported) ? exported : [exported]
      if (found.length === 0 || !found.every(isProvider)) {
        problems.push(`the default export of "${name}" is no provider and no list of them`)
      } else {
        providers.push(...found)
      }
    } catch (error) {
      problems.push(`"${name}" cannot be loaded: ${reasonOf(error)}`)
    }
  }
  return { providers, problems }
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
