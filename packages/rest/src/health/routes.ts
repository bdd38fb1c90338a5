import { SallyportError } from '@sallyport/errors'
import { z } from 'zod'
import type { ApiContext } from '../api/api-context.ts'
import type { RouteBinding } from '../route-binding.ts'
import { createRouteGroup } from '../route-group.ts'
import { checkReadiness, type Dependency } from './readiness.ts'

export interface HealthOptions<Caller> {
  readonly dependencies: readonly Dependency[]
  /** Whether a caller may see the states of the dependencies and the notices. @default no caller */
  readonly isOperator?: (caller: Caller) => boolean
  /** The current notices for operators. @default none */
  readonly notices?: () => readonly string[]
  /** Aborted when the server begins to stop: `/ready` is then 503, so that a load balancer sends no more requests. */
  readonly stopping?: AbortSignal
  /** Sentences that describe `/ready` in the document. @default none */
  readonly description?: string
  /** The tags of the routes in the document. @default none */
  readonly tags?: readonly string[]
}

/**
 * Creates the routes of probes, which no rate limit counts: `GET /health` is 200 while the process answers, and `GET /ready` is
 * 200 while the dependencies work, otherwise 503 with `Retry-After`.
 *
 * @example
 * ```ts
 * import { createApi } from '@sallyport/rest'
 * import { createHealthRoutes } from '@sallyport/rest/health'
 *
 * declare const database: { ping(): Promise<void> }
 * const api = createApi({
 *   routes: createHealthRoutes({ dependencies: [{ name: 'database', ping: () => database.ping() }] }),
 * })
 * ```
 */
export function createHealthRoutes<Caller>(
  options: HealthOptions<Caller>,
): readonly RouteBinding<ApiContext<Caller>>[] {
  const { dependencies: needed, isOperator = () => false, notices = () => [], stopping } = options
  const { description, tags = [] } = options
  // A rejected probe would restart a healthy process.
  const route = createRouteGroup<Caller>({ tags, access: 'public', rateLimit: false })
  return [
    route.get(
      '/health',
      {
        operationId: 'getHealth',
        summary: 'Check that the process answers',
        description: 'For liveness probes. Dependencies are not checked.',
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
        ...(description !== undefined && { description }),
        responses: { 200: { description: 'The service is ready', body: readySchema } },
        errors: ['SERVICE_UNAVAILABLE'],
      },
      async (_, { identify }) => {
        if (stopping?.aborted) throw createUnavailableError(isStopping)
        const [{ ready, dependencies }, caller] = await Promise.all([checkReadiness(needed), identify()])
        const isShown = caller !== undefined && isOperator(caller)
        if (!ready) {
          const details = [
            ...Object.entries(dependencies).map(([field, message]) => ({ field, message })),
            ...notices().map((message) => ({ field: 'notices', message })),
          ]
          throw createUnavailableError('A dependency of the service does not work', isShown ? details : [])
        }
        return {
          status: 200,
          body: { status: 'ok' as const, ...(isShown && { dependencies, notices: notices() }) },
        }
      },
    ),
  ]
}

const readySchema = z.object({
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
})

const isStopping = 'The server is stopping: send the request to another server'

const createUnavailableError = (
  message: string,
  details: readonly { readonly field: string; readonly message: string }[] = [],
): SallyportError =>
  new SallyportError('SERVICE_UNAVAILABLE', message, {
    headers: { 'Retry-After': '5' },
    ...(details.length > 0 && { details }),
  })
