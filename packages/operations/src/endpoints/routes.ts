import { isDeepStrictEqual } from 'node:util'
import { isSallyportError, SallyportError, type ErrorDetail } from '@sallyport/errors'
import {
  bindRoute,
  checkPreconditions,
  dataEnvelope,
  defineRoute,
  formatETag,
  type RouteBinding,
} from '@sallyport/rest'
import type { AnyProvider } from '@sallyport/webhooks'
import type { Endpoint, Endpoints } from '@sallyport/webhooks/endpoints'
import type { RequestContext } from '../http/context.ts'
import { apiPath } from '../http/path.ts'
import { listEndpointsRoute } from './list.ts'
import {
  addSecretBody,
  createdEndpointResource,
  createEndpointBody,
  endpointParams,
  endpointResource,
  patchEndpointBody,
  secretParams,
  secretResource,
  toEndpoint,
  type PatchEndpointBody,
} from './schemas.ts'

const common = { tags: ['endpoints'], access: { roles: ['admin'] } } as const
const item = { ...common, path: '/endpoints/{id}', params: endpointParams, etag: true } as const

const createEndpoint = defineRoute({
  ...common,
  method: 'POST',
  path: '/endpoints',
  operationId: 'createEndpoint',
  summary: 'Create an endpoint',
  description: 'An endpoint is an address of a provider with separate secrets, such as for one customer.',
  body: createEndpointBody,
  bodyExample: { provider: 'codehost', name: 'Acme Ltd' },
  responses: {
    201: {
      description: 'The endpoint with its secret',
      data: createdEndpointResource,
      headers: { Location: 'The address of the endpoint' },
    },
  },
  errors: ['CONFLICT'],
  etag: true,
  idempotencyKey: true,
})

const getEndpoint = defineRoute({
  ...item,
  method: 'GET',
  operationId: 'getEndpoint',
  summary: 'Get an endpoint',
  responses: { 200: { description: 'The endpoint', data: endpointResource } },
  errors: ['NOT_FOUND'],
})

const patchEndpoint = defineRoute({
  ...item,
  method: 'PATCH',
  operationId: 'patchEndpoint',
  summary: 'Change an endpoint',
  description: 'Other processes see the change within two seconds.',
  body: patchEndpointBody,
  bodyExample: { status: 'disabled' },
  responses: { 200: { description: 'The endpoint', data: endpointResource } },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const deleteEndpoint = defineRoute({
  ...item,
  method: 'DELETE',
  operationId: 'deleteEndpoint',
  summary: 'Delete an endpoint and its secrets',
  description:
    'Deliveries and events of the endpoint stay for their retention. The id cannot be used again until then.',
  responses: { 204: { description: 'The endpoint is deleted' } },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const addSecret = defineRoute({
  ...common,
  method: 'POST',
  path: '/endpoints/{id}/secrets',
  operationId: 'addEndpointSecret',
  summary: 'Add a secret to an endpoint',
  description: 'The endpoint accepts the old and the new secrets until the old ones are removed.',
  params: endpointParams,
  body: addSecretBody,
  bodyRequired: false,
  bodyExample: {},
  responses: { 201: { description: 'The secret', data: secretResource } },
  errors: ['NOT_FOUND', 'CONFLICT'],
  idempotencyKey: true,
})

const removeSecret = defineRoute({
  ...common,
  method: 'DELETE',
  path: '/endpoints/{id}/secrets/{secret_id}',
  operationId: 'removeEndpointSecret',
  summary: 'Remove a secret of an endpoint',
  description: 'Other processes refuse the secret within two seconds.',
  params: secretParams,
  responses: { 204: { description: 'The secret is removed' } },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export interface EndpointRoutesOptions {
  readonly endpoints: Endpoints
  readonly providers: readonly AnyProvider[]
  readonly publicUrl: string | undefined
  /** Whether ENDPOINTS_FILE declares an id. @default no declared ids */
  readonly isDeclared?: (id: string) => boolean
}

/** Creates the routes of endpoints for operators. */
export function endpointRoutes(options: EndpointRoutesOptions): readonly RouteBinding<RequestContext>[] {
  const { endpoints, publicUrl } = options
  const providers = new Map(options.providers.map((provider) => [provider.name, provider]))
  const show = (endpoint: Endpoint) => toEndpoint(endpoint, publicUrl)

  async function get(id: string): Promise<Endpoint> {
    const endpoint = await endpoints.get(id)
    if (endpoint === undefined) throw unknownEndpoint()
    return endpoint
  }

  return [
    listEndpointsRoute(endpoints, publicUrl),
    bindRoute(createEndpoint, async ({ body }) => {
      const { secret: given, provider: name, ...rest } = body
      const provider = providers.get(name)
      if (provider === undefined)
        throw invalid('provider', `Must be one of ${[...providers.keys()].join(', ')}`)
      if (rest.id !== undefined && options.isDeclared?.(rest.id))
        throw new SallyportError('CONFLICT', 'ENDPOINTS_FILE declares this id: choose another id')
      const secret = await chooseSecret(provider, given)
      const endpoint = await endpoints.create({ ...rest, provider: name, secret })
      return {
        status: 201,
        headers: {
          ETag: formatETag(endpoint.version),
          Location: `${apiPath}/endpoints/${endpoint.id}`,
        },
        body: dataEnvelope({ ...show(endpoint), secret: given === undefined ? (secret ?? null) : null }),
      }
    }),
    bindRoute(getEndpoint, async ({ params: { id } }) => {
      const endpoint = await get(id)
      return {
        status: 200,
        headers: { ETag: formatETag(endpoint.version) },
        body: dataEnvelope(show(endpoint)),
      }
    }),
    bindRoute(patchEndpoint, async ({ params: { id }, body }, { conditions }) => {
      const endpoint = await get(id)
      checkPreconditions({ ...conditions, etag: formatETag(endpoint.version) })
      requireUnchanged(show(endpoint), body)
      const { name, status, labels, options } = body
      const change = Object.fromEntries(
        Object.entries({ name, status, labels, options }).filter(([, value]) => value !== undefined),
      )
      const changed = await endpoints.update(id, change, getVersion(conditions, endpoint))
      if (changed === undefined) throw unknownEndpoint()
      return {
        status: 200,
        headers: { ETag: formatETag(changed.version) },
        body: dataEnvelope(show(changed)),
      }
    }),
    bindRoute(deleteEndpoint, async ({ params: { id } }, { conditions }) => {
      const endpoint = await get(id)
      checkPreconditions({ ...conditions, etag: formatETag(endpoint.version) })
      if (!(await endpoints.delete(id, getVersion(conditions, endpoint)))) throw unknownEndpoint()
      return { status: 204 }
    }),
    bindRoute(addSecret, async ({ params: { id }, body }) => {
      const provider = providers.get((await get(id)).provider)
      if (provider === undefined) throw new SallyportError('CONFLICT', 'The provider is not registered')
      const secret = await chooseSecret(provider, body.secret)
      if (secret === undefined)
        throw invalid('secret', `Is required: ${provider.name} sends its secret in a handshake`)
      const added = await endpoints.addSecret(id, secret)
      if (added === undefined) throw unknownEndpoint()
      const created = added.endpoint.secrets.find((one) => one.id === added.secretId)
      const created_at = new Date(created?.createdAt ?? 0).toISOString()
      return {
        status: 201,
        body: dataEnvelope({
          id: added.secretId,
          secret: body.secret === undefined ? secret : null,
          created_at,
        }),
      }
    }),
    bindRoute(removeSecret, async ({ params: { id, secret_id } }) => {
      if (!(await endpoints.removeSecret(id, secret_id))) throw unknownEndpoint()
      return { status: 204 }
    }),
  ]
}

/** Limits a change with `If-Match` to the version that the condition matched. */
function getVersion({ ifMatch }: RequestContext['conditions'], { version }: Endpoint) {
  return ifMatch === undefined ? {} : { version }
}

/** @throws SallyportError 400 `VALIDATION_ERROR` for an unusable secret, or without a secret where only the service creates it */
async function chooseSecret(
  { name, signature, handshake }: AnyProvider,
  given: string | undefined,
): Promise<string | undefined> {
  // The service sends the secret in its handshake.
  if (given === undefined && handshake?.establishesSecret) return undefined
  const secret = given ?? signature.createSecret?.()
  if (secret === undefined)
    throw invalid('secret', `Is required: only the service creates secrets for ${name}`)
  try {
    await signature.checkSecret?.(secret)
  } catch (error) {
    throw invalid('secret', isSallyportError(error) ? error.message : `Cannot be used by ${name}`)
  }
  return secret
}

/** @throws SallyportError 400 `VALIDATION_ERROR` with a detail for each changed read-only field */
function requireUnchanged(shown: object, body: PatchEndpointBody): void {
  const fixed = ['id', 'provider', 'url', 'secrets', 'created_at', 'updated_at'] as const
  const values = shown as Readonly<Record<string, unknown>>
  const changed = fixed.filter(
    (name) => body[name] !== undefined && !isDeepStrictEqual(body[name], values[name]),
  )
  if (changed.length > 0)
    throw invalidFields(changed.map((field) => detail(field, 'READ_ONLY', 'Cannot be changed')))
}

const detail = (field: string, code: string, message: string): ErrorDetail => ({
  code,
  field,
  in: 'body',
  message,
})

const invalid = (field: string, message: string) => invalidFields([detail(field, 'INVALID_VALUE', message)])

const invalidFields = (details: readonly ErrorDetail[]) =>
  new SallyportError('VALIDATION_ERROR', 'The request is not valid', { details })

const unknownEndpoint = () => new SallyportError('NOT_FOUND', 'The endpoint or the secret does not exist')
