import type { ApiKey, ApiKeys } from '@sallyport/auth'
import { SallyportError } from '@sallyport/errors'
import {
  answerList,
  createRouteGroup,
  dataEnvelope,
  defineListQuery,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import { hasScope, scopePermissions, type GetOperator, type Operator, type Scope } from '../access.ts'
import type { RecordAction } from '../audit/record-action.ts'
import { getTimePosition } from '../time-position.ts'
import { createdKeyResource, createKeyBody, keyParams, keyResource, type KeyResource } from './schemas.ts'

/** The functions of `createApiKeys` of `@sallyport/auth` that the routes of keys use. */
export type ManagedKeys = Pick<ApiKeys<object>, 'create' | 'get' | 'list' | 'count' | 'delete'>

const maxKeys = 1000
const unknownKey = 'There is no key with this id'

/** A key with the columns of cursors. */
interface Row {
  readonly created_at: number
  readonly id: string
  readonly key: ApiKey
}

/** Creates the routes that list, create, show and delete API keys. */
export function keyRoutes({
  keys,
  getOperator,
  record,
  access,
  now = Date.now,
}: {
  readonly keys: ManagedKeys
  readonly getOperator: GetOperator
  readonly record: RecordAction
  readonly access: RouteAccess
  /** Milliseconds since the epoch. */
  readonly now?: () => number
}): readonly RouteBinding[] {
  const route = createRouteGroup({ tags: ['keys'], access })

  return [
    route.get(
      '/keys',
      {
        operationId: 'listKeys',
        summary: 'List API keys',
        query: defineListQuery({
          sortable: ['created_at'],
          defaultSort: '-created_at',
          fields: Object.keys(keyResource.shape) as (keyof KeyResource)[],
        }),
        responses: { 200: { description: 'A page of keys, without their secrets', list: keyResource } },
        etag: true,
      },
      async ({ query }, context) => {
        const [found, total] = await Promise.all([
          keys.list(getTimePosition(query)),
          query.pagination.kind === 'offset' ? keys.count() : 0,
        ])
        const rows = found.map((key): Row => ({ created_at: key.createdAt, id: key.id, key }))
        return await answerList(query, context, () => ({ rows, total }), {
          map: ({ key }) => toResource(key),
        })
      },
    ),

    route.post(
      '/keys',
      {
        operationId: 'createKey',
        summary: 'Create an API key',
        description:
          'Send `key` as a bearer token. It is shown once. The key acts for its creator: it never has more permissions, and it stops with the account. ' +
          'A key can create keys with its own scopes except `keys:write`, which expire no later than the key itself.',
        body: createKeyBody,
        bodyExample: { name: 'CI', scopes: ['deliveries:read', 'replays:write'] },
        responses: { 201: { description: 'The key with its secret', data: createdKeyResource } },
        links: { GetKey: { operationId: 'getKey', parameters: { id: '$response.body#/data/id' } } },
        errors: ['FORBIDDEN', 'CONFLICT'],
      },
      async ({ body }, context) => {
        const operator = await getOperator(context.caller)
        requireOwnScopes(operator, body.scopes)
        const expiresAt = getExpiry(body.expires_at, operator, now())
        if ((await keys.count()) >= maxKeys)
          throw new SallyportError('CONFLICT', `There are ${maxKeys} keys already: delete unused keys`)
        const { key, text } = await keys.create({
          name: body.name,
          scopes: body.scopes,
          endpoints: body.endpoints,
          ownerId: operator.id,
          expiresAt,
          parentId: operator.key?.id ?? null,
        })
        await record(context, 'key.create', {
          target: key.id,
          detail: {
            name: key.name,
            scopes: key.scopes,
            endpoints: key.endpoints,
            expires_at: formatTime(expiresAt),
          },
        })
        return {
          status: 201,
          headers: { 'Cache-Control': 'no-store' },
          body: dataEnvelope({ ...toResource(key), key: text }),
        }
      },
    ),

    route.get(
      '/keys/{id}',
      {
        operationId: 'getKey',
        summary: 'Get an API key',
        params: keyParams,
        responses: { 200: { description: 'The key, without its secret', data: keyResource } },
        errors: ['NOT_FOUND'],
        etag: true,
      },
      async ({ params: { id } }) => ({
        status: 200,
        body: dataEnvelope(toResource(requireFound(await keys.get(id), unknownKey))),
      }),
    ),

    route.delete(
      '/keys/{id}',
      {
        operationId: 'deleteKey',
        summary: 'Delete an API key and the keys that it created',
        description:
          'Other processes refuse the keys within five seconds. An open stream of a key ends a second later.',
        params: keyParams,
        responses: { 204: { description: 'The key is deleted' } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { id } }, context) => {
        const key = requireFound(await keys.get(id), unknownKey)
        const deleted = await keys.delete(id)
        await record(context, 'key.delete', {
          target: id,
          detail: { name: key.name, deleted: deleted.filter((each) => each !== id) },
        })
        return { status: 204 }
      },
    ),
  ]
}

/** @throws SallyportError 403 `FORBIDDEN` for a scope that the operator lacks or may not pass on */
function requireOwnScopes(operator: Operator, scopes: readonly Scope[]): void {
  const lacking = scopes.filter((scope) => !hasScope(operator, scope))
  if (lacking.length > 0)
    throw new SallyportError(
      'FORBIDDEN',
      `A key cannot have more rights than its creator: remove ${lacking.join(', ')}`,
    )
  // Otherwise a stolen key could outlive its deletion in a chain of keys.
  if (operator.key !== undefined && scopes.includes('keys:write'))
    throw new SallyportError('FORBIDDEN', 'Only a user creates a key with keys:write, not a key')
}

/** @throws SallyportError 400 `VALIDATION_ERROR` for a time that has passed, or is later than that of the creating key */
function getExpiry(given: string | null, { key }: Operator, now: number): number | null {
  const expiresAt = given === null ? null : Date.parse(given)
  const limit = key?.expiresAt ?? null
  if (expiresAt !== null && expiresAt <= now) throw invalidExpiry('Must be in the future')
  if (limit === null || (expiresAt !== null && expiresAt <= limit)) return expiresAt
  if (expiresAt === null) return limit
  throw invalidExpiry('Must not be later than the expiry of the key that you use')
}

function invalidExpiry(message: string): SallyportError {
  return new SallyportError('VALIDATION_ERROR', 'The request is not valid', {
    details: [{ code: 'INVALID_VALUE', field: 'expires_at', in: 'body', message }],
  })
}

function toResource(key: ApiKey): KeyResource {
  return {
    id: key.id,
    name: key.name,
    // A scope of an older version opens no route.
    scopes: key.scopes.filter((scope): scope is Scope => scope in scopePermissions),
    endpoints: key.endpoints,
    created_by: key.ownerId,
    created_at: new Date(key.createdAt).toISOString(),
    expires_at: formatTime(key.expiresAt),
    last_used_at: formatTime(key.lastUsedAt),
    prefix: key.prefix,
  }
}

const formatTime = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString()
