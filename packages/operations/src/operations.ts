import { SallyportError } from '@sallyport/errors'
import {
  createApi,
  createMemoryIdempotencyStore,
  type Api,
  type ApiOptions,
  type Authenticate,
} from '@sallyport/rest'
import { createDocuments } from '@sallyport/rest/openapi'
import { hasScope, scopePermissions, type Operator, type Scope } from './access.ts'
import { supports } from './inbox.ts'
import { createOperationsRoutes, type OperatedWebhooks, type OperationsRoutesOptions } from './routes.ts'

export interface OperationsOptions
  extends
    Omit<OperationsRoutesOptions, 'getAccess'>,
    Pick<
      ApiOptions<Operator, object>,
      | 'idempotency'
      | 'rateLimits'
      | 'documents'
      | 'timeoutMs'
      | 'cors'
      | 'mapError'
      | 'onError'
      | 'onResponse'
    > {
  /**
   * Authenticates a request and returns the operator; throws a SallyportError 401 without valid credentials. An operator
   * without the permission of a route gets 403. The second argument sets headers of the response, such as a cookie.
   */
  readonly authorize: Authenticate<Operator>
}

/**
 * Creates the operations API: find, inspect, replay and erase deliveries, and list published events. A host of
 * `@sallyport/rest` mounts the API.
 *
 * By default, `GET /openapi.json` and `GET /docs` are public. The responses to requests with an `Idempotency-Key` are kept in
 * the database of the webhooks, or in this process.
 *
 * @param webhooks the result of `createWebhooks`, or the parts of your own
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { SallyportError } from '@sallyport/errors'
 * import { createOperations } from '@sallyport/operations'
 * import { createNodeListener } from '@sallyport/rest/node'
 * import { createWebhooks, createMemoryDatabase } from '@sallyport/webhooks/node'
 *
 * const webhooks = createWebhooks({ database: createMemoryDatabase(), providers: [], on: {} })
 * const operations = createOperations(webhooks, {
 *   authorize({ header }) {
 *     if (header('authorization') !== 'Bearer a long token') throw new SallyportError('INVALID_TOKEN', 'Log in')
 *     return { id: 'ann', permissions: ['read', 'replay'] }
 *   },
 * })
 * createServer(createNodeListener(operations, { mount: '/operations' })).listen(3111)
 * ```
 */
export function createOperations(
  webhooks: OperatedWebhooks,
  { authorize, getHealth, catalogue, keys, getOperator, streams, mcp, ...options }: OperationsOptions,
): Api {
  const { inbox, endpoints, declaredEndpoints, providers, audit, consumers } = webhooks.operations
  const { idempotency, secrets = [crypto.randomUUID()] } = webhooks.operations
  return createApi<Operator>({
    secrets,
    idempotency: idempotency?.() ?? createMemoryIdempotencyStore(),
    documents: createDocuments({
      title: 'Operations',
      version: '1.0.0',
      tags: [
        { name: 'deliveries', description: 'Received deliveries: find, inspect, replay and erase.' },
        { name: 'events', description: 'Published events.' },
        ...(consumers
          ? [
              {
                name: 'consumers',
                description: 'Consumers of the bus in the database, and their dead letters.',
              },
            ]
          : []),
        ...(webhooks.operations.destinations
          ? [{ name: 'destinations', description: 'Services that receive events: list, pause and resume.' }]
          : []),
        ...(webhooks.operations.reconciliations
          ? [
              {
                name: 'reconciliations',
                description: 'The reconciliation of missed deliveries: sources, their states and runs.',
              },
            ]
          : []),
        ...(supports(inbox, 'listLanes')
          ? [
              {
                name: 'lanes',
                description: 'Lanes of events that handlers process: pause, resume and repair.',
              },
            ]
          : []),
        ...(endpoints || declaredEndpoints || webhooks.operations.subscriptions
          ? [{ name: 'endpoints', description: 'Addresses with separate secrets: one per customer.' }]
          : []),
        ...(providers
          ? [{ name: 'providers', description: 'How services sign, and how to set them up.' }]
          : []),
        ...(audit ? [{ name: 'audit', description: 'The actions of operators.' }] : []),
        ...(keys ? [{ name: 'keys', description: 'Long-lived bearer tokens with scopes.' }] : []),
        { name: 'operator', description: 'The caller of the API.' },
        { name: 'statistics', description: 'Numbers of requests, and the state of the server.' },
      ],
    }),
    ...options,
    routes: createOperationsRoutes(webhooks, {
      ...{ getHealth, catalogue, keys, getOperator, streams, mcp },
      getAccess: (_, scope) => ({ roles: [scope] }),
    }),
    authenticate: authorize,
    getCallerId: ({ id, key }) => (key === undefined ? id : `key ${key.id}`),
    hasRole(operator, needed) {
      const scopes = needed as readonly Scope[]
      if (scopes.some((scope) => hasScope(operator, scope))) return true
      const lacks = scopes.some((scope) => operator.permissions.includes(scopePermissions[scope]))
        ? `scope ${scopes.join(' or ')}`
        : `permission ${[...new Set(scopes.map((scope) => scopePermissions[scope]))].join(' or ')}`
      throw new SallyportError('FORBIDDEN', `This needs the ${lacks}`)
    },
  })
}
