import { createRedactor, getTrust, type AnyProvider, type RedactPaths } from '@sallyport/webhooks'
import { createKindFilter } from '@sallyport/internal/kind'
import type { Settings } from './settings.ts'

type ProviderSettings = Pick<
  Settings,
  'ALERT_SILENT_FOR' | 'PROVIDER_ONLY' | 'ALLOW_UNSIGNED' | 'MANUAL_TESTS_OFF' | 'SEARCH_PATHS' | 'REDACT'
>

/** Reports malformed and unknown entries of the settings, and registered providers that ALLOW_UNSIGNED lacks. */
export function providerProblems(
  {
    PROVIDER_ONLY,
    ALLOW_UNSIGNED,
    MANUAL_TESTS_OFF,
    SEARCH_PATHS,
    REDACT,
    ALERT_SILENT_FOR,
  }: ProviderSettings,
  available: readonly AnyProvider[],
  registered: readonly AnyProvider[],
): readonly string[] {
  const known = new Set(available.map(({ name }) => name))
  const unknown = (setting: string, names: readonly string[]) =>
    names
      .filter((name) => !known.has(name))
      .map((name) => `${setting} names "${name}", which is not a provider`)
  const entries = PROVIDER_ONLY.map(splitEntry)
  const malformed = entries.flatMap(({ kind }) => {
    try {
      createKindFilter([kind])
      return []
    } catch {
      return [`PROVIDER_ONLY has to be a list such as github/push,github/pull_request.*, not "${kind}"`]
    }
  })
  const searched = SEARCH_PATHS.map(splitEntry)
  const refused = registered.filter(
    (provider) => getTrust(provider) !== 'signed' && !ALLOW_UNSIGNED.includes(provider.name),
  )
  return [
    ...malformed,
    ...searched
      .filter(({ kind }) => kind.split('.').includes(''))
      .map(({ kind }) => `SEARCH_PATHS has to be a list such as shopify/order_number, not "${kind}"`),
    ...REDACT.filter((entry) => !isRedactPath(entry)).map(
      (entry) => `REDACT has to be a list such as stripe/data.object.email,*/**.email, not "${entry}"`,
    ),
    ...unknown(
      'REDACT',
      REDACT.map((entry) => splitEntry(entry).provider).filter((name) => name !== '*'),
    ),
    ...unknown(
      'SEARCH_PATHS',
      searched.map(({ provider }) => provider),
    ),
    ...unknown('ALERT_SILENT_FOR', Object.keys(splitSilence(ALERT_SILENT_FOR).providers)),
    ...unknown(
      'PROVIDER_ONLY',
      entries.map(({ provider }) => provider),
    ),
    ...unknown('ALLOW_UNSIGNED', ALLOW_UNSIGNED),
    ...unknown(
      'MANUAL_TESTS_OFF',
      MANUAL_TESTS_OFF.filter((name) => name !== 'all'),
    ),
    ...refused.map(
      ({ name }) =>
        `The signature of ${name} does not cover the whole body: name ${name} in ALLOW_UNSIGNED to accept deliveries that may be forged`,
    ),
  ]
}

/** Narrows a provider to its kinds in PROVIDER_ONLY, turns off its manual tests for MANUAL_TESTS_OFF, and adds SEARCH_PATHS. */
export function narrowProvider(
  provider: AnyProvider,
  { PROVIDER_ONLY, MANUAL_TESTS_OFF, SEARCH_PATHS }: ProviderSettings,
): AnyProvider {
  const select = (setting: readonly string[]) =>
    setting.map(splitEntry).filter((entry) => entry.provider === provider.name)
  const entries = select(PROVIDER_ONLY)
  const paths = select(SEARCH_PATHS).map(({ kind }) => kind)
  const isOff = MANUAL_TESTS_OFF.includes('all') || MANUAL_TESTS_OFF.includes(provider.name)
  if (entries.length === 0 && paths.length === 0 && !isOff) return provider
  // A module can export an instance of a class, which a copy would break.
  return Object.create(provider, {
    ...(entries.length > 0 && { only: { value: entries.map(({ kind }) => kind), enumerable: true } }),
    ...(paths.length > 0 && {
      searchPaths: { value: [...(provider.searchPaths ?? []), ...paths], enumerable: true },
    }),
    ...(isOff && { manualTests: { value: false, enumerable: true } }),
  }) as AnyProvider
}

/** Returns the paths of REDACT by the name of the provider; `*` names all. */
export function readRedactPaths(
  { REDACT }: Pick<Settings, 'REDACT'>,
  registered: readonly AnyProvider[],
): RedactPaths {
  const names = ['*', ...registered.map(({ name }) => name)]
  const entries = REDACT.map(splitEntry)
  return Object.fromEntries(
    names.map((name) => [name, entries.filter(({ provider }) => provider === name).map(({ kind }) => kind)]),
  )
}

function isRedactPath(entry: string): boolean {
  try {
    createRedactor({ '*': [splitEntry(entry).kind] })
    return true
  } catch {
    return false
  }
}

function splitEntry(entry: string): { readonly provider: string; readonly kind: string } {
  const [provider = ''] = entry.split('/', 1)
  return { provider, kind: entry.slice(provider.length + 1) }
}

const endpointPrefix = 'endpoint/'

/** Separates the limits of providers and of endpoints by id. */
export function splitSilence(limits: Settings['ALERT_SILENT_FOR']) {
  const entries = Object.entries(limits)
  return {
    providers: Object.fromEntries(entries.filter(([name]) => !name.startsWith(endpointPrefix))),
    endpoints: Object.fromEntries(
      entries
        .filter(([name]) => name.startsWith(endpointPrefix))
        .map(([name, limit]) => [name.slice(endpointPrefix.length), limit]),
    ),
  }
}
