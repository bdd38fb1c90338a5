import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import { z } from 'zod'
import { findLimit, type GetOperator } from '../access.ts'

const route = createRouteGroup({ tags: ['operator'] })

const permissions = ['read', 'replay', 'erase', 'manage'] as const

const operatorResource = z
  .object({
    id: z.string().meta({ examples: ['ann'] }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['ann@example.com'] }),
    permissions: z.array(z.enum(permissions)),
    scopes: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The scopes of an API key; null without a limit.', examples: [null] }),
    endpoints: z
      .string()
      .nullable()
      .meta({
        description: 'The labels of the endpoints that the caller is limited to. Null without a limit.',
        examples: [null],
      }),
    refused_operations: z.array(z.string()).meta({
      description: 'The operations that refuse the caller because of the limit; none without a limit.',
      examples: [[]],
    }),
  })
  .meta({ id: 'Operator' })

interface OperatorRouteOptions {
  readonly getOperator: GetOperator
  /** Returns the ids of the operations that refuse operators with a limit. */
  readonly getRefused: () => readonly string[]
}

/** Creates the route that shows the caller. */
export function getOperatorRoute(
  { getOperator, getRefused }: OperatorRouteOptions,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/operator',
    {
      operationId: 'getOperator',
      tool: { trusted: true },
      summary: 'Get the caller and the permissions of the caller',
      access,
      responses: { 200: { description: 'The operator', data: operatorResource } },
    },
    async (_, { caller }) => {
      const operator = await getOperator(caller)
      const limit = findLimit(operator)
      return {
        status: 200,
        body: dataEnvelope({
          id: operator.id,
          name: operator.name ?? null,
          permissions: permissions.filter((permission) => operator.permissions.includes(permission)),
          scopes: operator.scopes === undefined ? null : [...operator.scopes],
          endpoints: limit?.join(' and ') ?? null,
          refused_operations: limit === undefined ? [] : [...getRefused()],
        }),
      }
    },
  )
}
