import { createRouteGroup, type RouteBinding } from '@sallyport/rest'
import { createHealthRoutes, type Dependency } from '@sallyport/rest/health'
import type { Caller, RequestContext } from '@sallyport/sql/accounts'
import { z } from 'zod'
import { version } from '../version.ts'

const tags = ['service']
const route = createRouteGroup<Caller>({ tags, access: 'public' })

const documents = {
  openapi: '/api/openapi.json',
  asyncapi: '/api/asyncapi.json',
  docs: '/api/docs',
  redoc: '/api/redoc',
} as const

const serviceSchema = z.object({
  service: z.literal('sallyport'),
  version: z.string().meta({ examples: [version] }),
  webhooks: z.object({
    endpoint: z.literal('/webhooks/:provider'),
    providers: z
      .array(z.string())
      .readonly()
      .meta({ examples: [['codehost']] }),
  }),
  documents: z
    .object({
      openapi: z.literal(documents.openapi),
      asyncapi: z.literal(documents.asyncapi),
      docs: z.literal(documents.docs),
      redoc: z.literal(documents.redoc),
    })
    .optional(),
})

export interface ServiceOptions {
  /** The names of the registered providers. */
  readonly providers: readonly string[]
  readonly dependencies: readonly Dependency[]
  readonly notices: () => readonly string[]
  /** Aborted when the server begins to stop. */
  readonly stopping: AbortSignal
  readonly hasDocuments: boolean
}

/** Creates the routes outside of the API version. */
export function serviceRoutes(options: ServiceOptions): readonly RouteBinding<RequestContext>[] {
  const { providers, hasDocuments, ...health } = options
  return [
    route.get(
      '/',
      {
        operationId: 'getService',
        summary: 'Get the name of the service',
        description: 'With its version, its webhook endpoint and the addresses of its documents.',
        responses: { 200: { description: 'The service', body: serviceSchema } },
      },
      () => ({
        status: 200,
        body: {
          service: 'sallyport' as const,
          version,
          webhooks: { endpoint: '/webhooks/:provider' as const, providers },
          ...(hasDocuments && { documents }),
        },
      }),
    ),
    ...createHealthRoutes<Caller>({
      ...{ ...health, tags },
      isOperator: ({ role, key }) => role === 'admin' || key?.scopes.includes('statistics:read') === true,
      description:
        'A dependency is unavailable if it does not answer, or for a limited time after a failed record or a failed batch. ' +
        'The service is ready without its bus and its queue: events wait in the inbox. ' +
        'An admin, and an API key with the scope `statistics:read`, gets the state of each dependency, in the body or in the details of the error, and notices.',
    }),
  ]
}
