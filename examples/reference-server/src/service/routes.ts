import { SallyportError } from '@sallyport/errors'
import { bindRoute, defineRoute, type RouteBinding } from '@sallyport/rest'
import { z } from 'zod'
import type { RequestContext } from '../http/context.ts'
import { version } from '../version.ts'
import { readinessOf, type Dependency } from './readiness.ts'

const root = defineRoute({
  method: 'GET',
  path: '/',
  operationId: 'getService',
  summary: 'What this service is and where it takes webhooks',
  tags: ['service'],
  access: 'public',
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
      }),
    },
  },
})

const health = defineRoute({
  method: 'GET',
  path: '/health',
  operationId: 'getHealth',
  summary: 'Whether the process answers',
  tags: ['service'],
  access: 'public',
  // A probe that is refused would have a healthy process restarted.
  rateLimit: false,
  responses: { 200: { description: 'It does', body: z.object({ status: z.literal('ok') }) } },
})

const ready = defineRoute({
  method: 'GET',
  path: '/ready',
  operationId: 'getReadiness',
  summary: 'Whether every dependency of the service works',
  description:
    'A dependency is unavailable when it does not answer, or when the last delivery could not be recorded or the last batch not be published, for a limited time. ' +
    'The service is ready without its bus and its queue: events wait in the inbox. ' +
    'An admin gets the state of each dependency, in the body or in the details of the error, and notices.',
  tags: ['service'],
  access: 'public',
  rateLimit: false,
  responses: {
    200: {
      description: 'It does',
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
})

/** The routes that carry no version. */
export function serviceRoutes(
  providers: readonly string[],
  needed: readonly Dependency[],
  notices: () => readonly string[],
  isStopping: () => boolean,
): readonly RouteBinding<RequestContext>[] {
  return [
    bindRoute(root, () => ({
      status: 200,
      body: {
        service: 'sallyport' as const,
        version,
        webhooks: { endpoint: '/webhooks/:provider' as const, providers },
      },
    })),
    bindRoute(health, () => ({ status: 200, body: { status: 'ok' as const } })),
    bindRoute(ready, async (_, { identify }: RequestContext) => {
      if (isStopping())
        throw new SallyportError('SERVICE_UNAVAILABLE', 'The server is being stopped: ask another one', {
          headers: { 'Retry-After': '5' },
        })
      const [readiness, caller] = await Promise.all([readinessOf(needed), identify()])
      const isAdmin = caller?.role === 'admin'
      const { dependencies } = readiness
      if (!readiness.ready) {
        const details = [
          ...Object.entries(dependencies).map(([field, message]) => ({ field, message })),
          ...notices().map((message) => ({ field: 'notices', message })),
        ]
        throw new SallyportError('SERVICE_UNAVAILABLE', 'A dependency of the service does not work', {
          headers: { 'Retry-After': '5' },
          ...(isAdmin && { details }),
        })
      }
      return {
        status: 200,
        body: { status: 'ok' as const, ...(isAdmin && { dependencies, notices: notices() }) },
      }
    }),
  ]
}
