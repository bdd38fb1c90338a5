import { SallyportError } from '@sallyport/errors'
import { createRouteGroup, type RouteBinding } from '@sallyport/rest'
import { z } from 'zod'
import type { Caller, RequestContext } from '@sallyport/sql/accounts'
import { version } from '../version.ts'
import { checkReadiness, type Dependency } from './readiness.ts'

const route = createRouteGroup<Caller>({ tags: ['service'], access: 'public' })

const documents = {
  openapi: '/api/openapi.json',
  asyncapi: '/api/asyncapi.json',
  docs: '/api/docs',
  redoc: '/api/redoc',
} as const

/** Creates the routes outside of the API version. */
export function serviceRoutes({
  providers,
  dependencies: needed,
  notices,
  stopping,
  hasDocuments,
}: {
  /** The names of the registered providers. */
  readonly providers: readonly string[]
  readonly dependencies: readonly Dependency[]
  readonly notices: () => readonly string[]
  /** Aborted when the server begins to stop. */
  readonly stopping: AbortSignal
  readonly hasDocuments: boolean
}): readonly RouteBinding<RequestContext>[] {
  return [
    route.get(
      '/',
      {
        operationId: 'getService',
        summary: 'Get the name of the service',
        description: 'With its version, its webhook endpoint and the addresses of its documents.',
        responses: {
          200: {
            description: 'The service',
            body: z.object({
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
                  openapi: z.literal('/api/openapi.json'),
                  asyncapi: z.literal('/api/asyncapi.json'),
                  docs: z.literal('/api/docs'),
                  redoc: z.literal('/api/redoc'),
                })
                .optional(),
            }),
          },
        },
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
    route.get(
      '/health',
      {
        operationId: 'getHealth',
        summary: 'Check that the process answers',
        description: 'For liveness probes. Dependencies are not checked.',
        // A rejected probe would restart a healthy process.
        rateLimit: false,
        responses: {
          200: { description: 'The process answers', body: z.object({ status: z.literal('ok') }) },
        },
      },
      () => ({ status: 200, body: { status: 'ok' as const } }),
    ),
    route.get(
      '/ready',
      {
        operationId: 'getReadiness',
        summary: 'Check the dependencies of the service',
        description:
          'A dependency is unavailable if it does not answer, or for a limited time after a failed record or a failed batch. ' +
          'The service is ready without its bus and its queue: events wait in the inbox. ' +
          'An admin, and an API key with the scope `statistics:read`, gets the state of each dependency, in the body or in the details of the error, and notices.',
        rateLimit: false,
        responses: {
          200: {
            description: 'The service is ready',
            body: z.object({
              status: z.literal('ok'),
              dependencies: z
                .record(z.string(), z.enum(['ok', 'unavailable']))
                .meta({ examples: [{ inbox: 'ok' }] })
                .optional(),
              notices: z
                .array(z.string())
                .readonly()
                .meta({ examples: [[]] })
                .optional(),
            }),
          },
        },
        errors: ['SERVICE_UNAVAILABLE'],
      },
      async (_, { identify }) => {
        if (stopping.aborted)
          throw new SallyportError(
            'SERVICE_UNAVAILABLE',
            'The server is stopping: send the request to another server',
            {
              headers: { 'Retry-After': '5' },
            },
          )
        const [readiness, caller] = await Promise.all([checkReadiness(needed), identify()])
        const isOperator =
          caller?.role === 'admin' || caller?.key?.scopes.includes('statistics:read') === true
        const { dependencies } = readiness
        if (!readiness.ready) {
          const details = [
            ...Object.entries(dependencies).map(([field, message]) => ({ field, message })),
            ...notices().map((message) => ({ field: 'notices', message })),
          ]
          throw new SallyportError('SERVICE_UNAVAILABLE', 'A dependency of the service does not work', {
            headers: { 'Retry-After': '5' },
            ...(isOperator && { details }),
          })
        }
        return {
          status: 200,
          body: { status: 'ok' as const, ...(isOperator && { dependencies, notices: notices() }) },
        }
      },
    ),
  ]
}
