import {
  createRouteGroup,
  dataEnvelope,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { AnyProvider, CatalogueEntry, MaybePromise } from '@sallyport/webhooks'
import { z } from 'zod'
import { describeProvider, summarizeProvider, type ListedProvider } from './describe-provider.ts'
import { providerResource, providerSummary } from './schemas.ts'

/** The facts of providers. */
export interface ProviderCatalogue {
  /** The providers of the gateway. The routes list them also if the catalogue has no entry of them. */
  readonly providers: readonly AnyProvider[]
  /** The address before `/{provider}`. */
  readonly gatewayUrl: string
  readonly load: LoadCatalogue
}

/** Loads the facts and the samples of providers. */
export type LoadCatalogue = () => MaybePromise<readonly CatalogueEntry[]>

const providerParams = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/)
    .meta({ examples: ['github'] }),
})

/** Creates the routes that list and show the providers of a catalogue and of the gateway. */
export function catalogueRoutes(catalogue: ProviderCatalogue, access: RouteAccess): readonly RouteBinding[] {
  const route = createRouteGroup({ tags: ['providers'], access, etag: true })
  let loading: Promise<ReadonlyMap<string, ListedProvider>> | undefined
  const getProviders = () => {
    loading ??= listProviders(catalogue).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  return [
    route.get(
      '/providers',
      {
        operationId: 'listProviders',
        tool: { trusted: true },
        summary: 'List providers',
        description: 'The providers of the catalogue and the registered ones, by name.',
        responses: { 200: { description: 'The providers', data: z.array(providerSummary) } },
      },
      async () => ({
        status: 200,
        body: dataEnvelope([...(await getProviders()).values()].map(summarizeProvider)),
      }),
    ),
    route.get(
      '/providers/{name}',
      {
        operationId: 'getProvider',
        tool: { trusted: true },
        summary: 'Get the facts and the setup steps of a provider',
        params: providerParams,
        responses: { 200: { description: 'The provider', data: providerResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { name } }) => {
        const listed = requireFound((await getProviders()).get(name), 'There is no provider with this name')
        const { kinds: samples = [] } = (await listed.loadSamples?.()) ?? {}
        const { gatewayUrl } = catalogue
        return { status: 200, body: dataEnvelope(describeProvider(listed, { samples, gatewayUrl })) }
      },
    ),
  ]
}

/** Lists the providers by name. A registered provider replaces the one of the catalogue, and keeps the facts. */
async function listProviders({
  providers,
  load,
}: Pick<ProviderCatalogue, 'providers' | 'load'>): Promise<ReadonlyMap<string, ListedProvider>> {
  const listed = new Map<string, ListedProvider>(
    (await load()).map((entry) => [entry.provider.name, { ...entry, registered: false }]),
  )
  for (const provider of providers)
    listed.set(provider.name, { ...listed.get(provider.name), provider, registered: true })
  return new Map([...listed].sort(([one], [other]) => (one < other ? -1 : 1)))
}
