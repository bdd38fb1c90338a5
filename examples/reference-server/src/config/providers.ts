import { findClosestName } from '@sallyport/internal/closest-name'
import type { AnyProvider } from '@sallyport/webhooks'
import type { ProviderModules } from '@sallyport/webhooks/node'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import { webhookSecretName } from './development-secrets.ts'

const defaultProviders = ['tasks', 'messaging', 'deploy', 'codehost']

interface Selection {
  readonly available: readonly AnyProvider[]
  /** The providers of PROVIDERS, or of the default list. */
  readonly chosen: readonly AnyProvider[]
  /** The names of built-in providers that a module replaces. */
  readonly replaced: readonly string[]
}

/** Selects the providers of PROVIDERS, or those of the default list and those with a secret. Adds problems to the list. */
export function selectProviders({
  builtIn,
  modules,
  generic,
  named,
  hasSecret,
  problems,
}: {
  readonly builtIn: readonly AnyProvider[]
  readonly modules: ProviderModules
  readonly generic: ProviderModules
  readonly named: readonly string[] | undefined
  readonly hasSecret: (provider: AnyProvider) => boolean
  readonly problems: string[]
}): Selection {
  const replacing = new Set(modules.providers.map(({ name }) => name))
  const known = [...builtIn.filter(({ name }) => !replacing.has(name)), ...modules.providers]
  problems.push(
    ...duplicateProblems('PROVIDER_MODULES', [], modules.providers),
    ...duplicateProblems('GENERIC_PROVIDERS', known, generic.providers),
  )
  const available = [...known, ...generic.providers]
  return {
    available,
    chosen: chooseProviders(named, available, hasSecret, problems),
    replaced: builtIn.map(({ name }) => name).filter((name) => replacing.has(name)),
  }
}

/** Separates the chosen providers by what the store knows about their secrets. */
export function registerProviders({
  chosen,
  given,
  named,
  production,
  hasEndpoints,
}: {
  readonly chosen: readonly AnyProvider[]
  readonly given: SecretStore
  /** Whether PROVIDERS names the providers. */
  readonly named: boolean
  readonly production: boolean
  readonly hasEndpoints: boolean
}) {
  // A failing store may have the secret. Senders repeat a delivery after 503, but not after 404.
  const isAwaited = (name: string) =>
    given.failure(name) !== undefined && (named || (production && !given.denies(name)))
  const withoutValue = chosen.filter(({ name }) => given.all(webhookSecretName(name)).length === 0)
  const awaited = withoutValue.filter(({ name }) => isAwaited(webhookSecretName(name)))
  const without = withoutValue.filter((provider) => !awaited.includes(provider))
  const registered =
    production && !hasEndpoints ? chosen.filter((provider) => !without.includes(provider)) : chosen
  return { registered, awaited, without }
}

function duplicateProblems(
  setting: string,
  taken: readonly AnyProvider[],
  added: readonly AnyProvider[],
): readonly string[] {
  const names = [...taken, ...added].map(({ name }) => name)
  return added
    .filter(({ name }, index) => names.indexOf(name) < taken.length + index)
    .map(({ name }) => `${setting}: there is a provider "${name}" already`)
}

function chooseProviders(
  named: readonly string[] | undefined,
  available: readonly AnyProvider[],
  hasSecret: (provider: AnyProvider) => boolean,
  problems: string[],
): readonly AnyProvider[] {
  const byName = new Map(available.map((provider) => [provider.name, provider]))
  for (const name of new Set(named)) {
    if (!byName.has(name)) {
      const meant = findClosestName(name.slice(0, 64), byName.keys())
      const known =
        meant === undefined
          ? `which is not among ${[...byName.keys()].join(', ')}`
          : `which is no provider: is ${meant} meant?`
      problems.push(`PROVIDERS names "${name}", ${known}`)
    }
  }
  const unnamed = () => [...defaultProviders, ...available.filter(hasSecret).map(({ name }) => name)]
  return [...new Set(named ?? unnamed())].flatMap((name) => byName.get(name) ?? [])
}
