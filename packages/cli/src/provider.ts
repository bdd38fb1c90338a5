import { builtInProviders } from '@sallyport/providers'
import { readGenericServices } from '@sallyport/providers/generic'
import { findClosestName } from '@sallyport/internal/closest-name'
import type { AnyProvider } from '@sallyport/webhooks'
import { loadProviderModules } from '@sallyport/webhooks/node'
import { CommandError, printable, usage, type Io } from './io.ts'

/** Lists the built-in providers: one line per normalized provider with its kinds, and one line with the services. */
export function listProviders(): readonly string[] {
  const [services, normalized] = [true, false].map((isService) =>
    builtInProviders.filter((provider) => 'service' in provider === isService),
  )
  return [
    ...(normalized ?? []).map(
      (provider) => `${provider.name}: ${listKinds(provider)} (${describeNeutral(provider)})`,
    ),
    `every event of: ${(services ?? []).map(({ name }) => name).join(', ')}`,
  ]
}

/** The services whose form the neutral contracts have. */
const realServices: Readonly<Record<string, string>> = {
  ...{ codehost: 'github', deploy: 'vercel', messaging: 'front', payments: 'stripe', tasks: 'todoist' },
}

/** Says that a neutral contract is not the service whose form it has. */
export function describeNeutral({ name }: Pick<AnyProvider, 'name'>): string | undefined {
  const real = realServices[name]
  return real && `a neutral contract; the service itself is ${real}`
}

/** Lists the names of the built-in providers. */
export const listProviderNames = (): readonly string[] => builtInProviders.map(({ name }) => name)

export const listKinds = ({ events }: AnyProvider): string => Object.keys(events).join(', ')

/**
 * Finds a provider of the modules, which replace built-in ones, a built-in provider, or a generic one. Problems of others do not matter.
 *
 * @throws CommandError if there is no such provider
 */
export async function findProvider(name: string, env: Io['env']): Promise<AnyProvider> {
  const modules = await loadProviderModules(env['PROVIDER_MODULES'], '.')
  const [named, another] = modules.providers.filter((one) => one.name === name)
  if (named && !another) return named
  const builtIn = builtInProviders.find((one) => one.name === name)
  if (builtIn && !another) return builtIn
  const problems = another ? [`there is a provider "${name}" already`] : modules.problems
  if (problems.length > 0) throw createSettingError('PROVIDER_MODULES', problems)
  const generic = await readGenericServices(env['GENERIC_PROVIDERS'])
  const described = generic.providers.find((one) => one.name === name)
  if (described) return described
  if (generic.problems.length > 0) throw createSettingError('GENERIC_PROVIDERS', generic.problems)
  const names = [...builtInProviders, ...modules.providers, ...generic.providers].map((one) => one.name)
  const meant = findClosestName(name.slice(0, 64), names)
  throw new CommandError(
    usage,
    `There is no provider "${printable(name, 64)}"`,
    meant === undefined ? `Known providers: ${names.join(', ')}` : `Did you mean ${meant}?`,
  )
}

function createSettingError(setting: string, problems: readonly string[]): CommandError {
  const [first = '', ...others] = problems.map((problem) => printable(`${setting}: ${problem}`))
  return new CommandError(usage, first, ...others)
}
