import { isDeepStrictEqual } from 'node:util'
import {
  checkPreconditions,
  createRouteGroup,
  dataEnvelope,
  formatETag,
  requireFound,
  type ApiContext,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { AnyProvider, EndpointOptions } from '@sallyport/webhooks'
import type { Endpoint } from '@sallyport/webhooks/endpoints'
import type { RecordAction } from '../audit/record-action.ts'
import { chooseSecret, getSecretOrigin } from './choose-secret.ts'
import { invalidField, invalidFields } from './invalid-fields.ts'
import { listEndpointsRoute } from './list.ts'
import {
  changeWithResult,
  requireEndpoint,
  unknownEndpoint,
  type ManagedEndpoints,
} from './managed-endpoints.ts'
import {
  createdEndpointResource,
  createEndpointBody,
  endpointParams,
  endpointResource,
  patchEndpointBody,
  toEndpoint,
  toOptions,
  type EndpointResource,
  type PatchEndpointBody,
} from './schemas.ts'
import { readHandshakeSecretRoute } from './read-handshake-secret.ts'
import { endpointSecretRoutes } from './secrets.ts'
import { startHandshakeRoute } from './start-handshake.ts'
import { testDeliveryRoute } from './test-deliveries.ts'

const route = createRouteGroup({ tags: ['endpoints'], etag: true })

/** Creates the routes that list, create, show, change and delete endpoints and their secrets. */
export function endpointRoutes({
  managed,
  record,
  read,
  write,
}: {
  readonly managed: ManagedEndpoints
  readonly record: RecordAction
  readonly read: RouteAccess
  readonly write: RouteAccess
}): readonly RouteBinding[] {
  const { endpoints, providers, cipher, gatewayUrl, findSubscriptions, sendTestDelivery } = managed

  const show = (endpoint: Endpoint) => toEndpoint(endpoint, gatewayUrl)
  const showWhole = async (endpoint: Endpoint) => {
    const { id } = endpoint
    return toEndpoint(endpoint, gatewayUrl, (await findSubscriptions([id]))(id))
  }

  return [
    listEndpointsRoute(endpoints, gatewayUrl, findSubscriptions, read),

    {
      ...route.post(
        '/endpoints',
        {
          access: write,
          operationId: 'createEndpoint',
          summary: 'Create an endpoint',
          description:
            'An endpoint is an address of a provider with separate secrets, such as for one customer. The response is the only one with the generated secret. If the service creates its secret, none is generated, and the endpoint accepts no delivery until it is added. If the service sends its secret in a handshake, the endpoint waits for it until `handshake_until`.',
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
          idempotencyKey: true,
        },
        async ({ body }, context) => {
          const { secret: given, provider: name, options: givenOptions, ...rest } = body
          const provider = providers.find((one) => one.name === name)
          if (provider === undefined)
            throw invalidField('provider', `Must be one of ${providers.map((one) => one.name).join(', ')}`)
          const options = toOptions(givenOptions)
          requireTolerance(options, provider)
          const secret = await chooseSecret(provider, given)
          const toResult = (endpoint: Endpoint) => ({
            status: 201 as const,
            headers: {
              ETag: formatETag(endpoint.version),
              Location: `${context.mountPath}/endpoints/${endpoint.id}`,
            },
            body: dataEnvelope({ ...show(endpoint), secret: given === undefined ? (secret ?? null) : null }),
          })
          const { saved, result } = await changeWithResult(managed, context, toResult, (save) =>
            endpoints.create(
              {
                ...rest,
                options,
                provider: name,
                secret,
                awaitsHandshake: getSecretOrigin(provider) === 'handshake',
              },
              save,
            ),
          )
          await record(context, 'endpoint.create', {
            target: saved.id,
            detail: { provider: name, name: saved.name },
          })
          return result
        },
      ),
      responseCipher: cipher,
    },

    route.get(
      '/endpoints/{id}',
      {
        params: endpointParams,
        access: read,
        operationId: 'getEndpoint',
        tool: {},
        summary: 'Get an endpoint',
        responses: { 200: { description: 'The endpoint', data: endpointResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { id } }) => {
        const endpoint = await requireEndpoint(endpoints, id)
        return {
          status: 200,
          headers: { ETag: formatETag(endpoint.version) },
          body: dataEnvelope(await showWhole(endpoint)),
        }
      },
    ),

    route.patch(
      '/endpoints/{id}',
      {
        params: endpointParams,
        access: write,
        operationId: 'patchEndpoint',
        summary: 'Change an endpoint',
        description: 'Other processes see the change within two seconds.',
        body: patchEndpointBody,
        bodyExample: { status: 'disabled' },
        responses: { 200: { description: 'The endpoint', data: endpointResource } },
        errors: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ params: { id }, body }, context) => {
        const endpoint = await requireEndpoint(endpoints, id)
        const { conditions } = context
        checkPreconditions({ ...conditions, etag: formatETag(endpoint.version) })
        requireUnchanged(show(endpoint), body)
        const { name, status, labels } = body
        const options = body.options && toOptions(body.options)
        if (options)
          requireTolerance(
            options,
            providers.find((one) => one.name === endpoint.provider),
          )
        const change = Object.fromEntries(
          Object.entries({ name, status, labels, options }).filter(([, value]) => value !== undefined),
        )
        const changed = requireFound(
          await endpoints.update(id, change, getVersion(conditions, endpoint)),
          unknownEndpoint,
        )
        await record(context, 'endpoint.update', {
          target: id,
          detail: { changed: Object.keys(change), status: changed.status },
        })
        return {
          status: 200,
          headers: { ETag: formatETag(changed.version) },
          body: dataEnvelope(await showWhole(changed)),
        }
      },
    ),

    route.delete(
      '/endpoints/{id}',
      {
        params: endpointParams,
        access: write,
        operationId: 'deleteEndpoint',
        summary: 'Delete an endpoint and its secrets',
        description:
          'Deliveries and events of the endpoint stay for their retention. The id cannot be used again until then.',
        responses: { 204: { description: 'The endpoint is deleted' } },
        errors: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ params: { id } }, context) => {
        const endpoint = await requireEndpoint(endpoints, id)
        const { conditions } = context
        checkPreconditions({ ...conditions, etag: formatETag(endpoint.version) })
        const isDeleted = await endpoints.delete(id, getVersion(conditions, endpoint))
        requireFound(isDeleted || undefined, unknownEndpoint)
        await record(context, 'endpoint.delete', {
          target: id,
          detail: { provider: endpoint.provider, name: endpoint.name },
        })
        return { status: 204 }
      },
    ),

    ...endpointSecretRoutes(managed, write, record),
    startHandshakeRoute(managed, write, record),
    readHandshakeSecretRoute(managed, write, record),
    ...(sendTestDelivery ? [testDeliveryRoute(sendTestDelivery, write, record)] : []),
  ]
}

/**
 * A provider that is not registered any more keeps its options.
 *
 * @throws SallyportError 400 `VALIDATION_ERROR` for a tolerance of a provider without a signed time
 */
function requireTolerance(
  { toleranceSeconds }: EndpointOptions,
  provider: Pick<AnyProvider, 'name' | 'signature'> | undefined,
): void {
  if (toleranceSeconds === undefined || provider === undefined || provider.signature.hasTolerance) return
  throw invalidField('options.tolerance_seconds', `Cannot be used: ${provider.name} signs no time`)
}

/** Limits a change with `If-Match` to the version that the condition matched. */
function getVersion({ ifMatch }: ApiContext['conditions'], { version }: Endpoint) {
  return ifMatch === undefined ? {} : { version }
}

/** @throws SallyportError 400 `VALIDATION_ERROR` with a detail for each changed read-only field */
function requireUnchanged(shown: EndpointResource, body: PatchEndpointBody): void {
  const fixed = ['id', 'provider', 'url', 'secrets', 'handshake_until', 'created_at', 'updated_at'] as const
  const changed = fixed.filter(
    (name) => body[name] !== undefined && !isDeepStrictEqual(body[name], shown[name]),
  )
  if (changed.length > 0)
    throw invalidFields(
      changed.map((field) => ({ code: 'READ_ONLY', field, in: 'body', message: 'Cannot be changed' })),
    )
}
