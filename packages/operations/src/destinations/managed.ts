import { randomBytes } from 'node:crypto'
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
import type { OperatorInbox } from '@sallyport/webhooks'
import type { DestinationOperations, ManagedDestination } from '@sallyport/webhooks/destinations'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import { z } from 'zod'
import type { RecordAction } from '../audit/record-action.ts'
import { changeWithResult } from '../endpoints/managed-endpoints.ts'
import {
  addSecretBody,
  applyPatch,
  createBody,
  createdResource,
  managedResource,
  patchBody,
  secretResource,
  toManaged,
} from './declarations.ts'
import { destinationParams as params } from './schemas.ts'

const group = { tags: ['destinations'] }
const route = createRouteGroup({ ...group, etag: true })
const plain = createRouteGroup(group)

export interface ManagedDestinationRoutesOptions {
  readonly managed: NonNullable<WebhookOperations['managedDestinations']>
  readonly operations: Pick<DestinationOperations, 'list' | 'resume'>
  readonly inbox: Partial<Pick<OperatorInbox, 'cancel'>>
  readonly idempotency: WebhookOperations['idempotency'] | undefined
  readonly record: RecordAction
  readonly access: RouteAccess
}

const unknown = 'There is no destination with this name that the API created'
const createSecret = () => `whsec_${randomBytes(32).toString('base64')}`

const deletedResource = z
  .object({
    cancelled: z
      .int()
      .min(0)
      .meta({ description: 'The waiting events that are dead letters now.', examples: [3] }),
    waiting: z
      .int()
      .min(0)
      .meta({ description: 'The events that a request still has.', examples: [0] }),
  })
  .meta({ id: 'DeletedDestination' })

/** Creates the routes that create, show, change and delete destinations and their secrets. */
export function managedDestinationRoutes(options: ManagedDestinationRoutesOptions): readonly RouteBinding[] {
  const { record, access } = options
  const { destinations, cipher } = options.managed
  const { idempotency } = options

  const require = async (name: string) => requireFound(await destinations.get(name), unknown)
  const show = (one: ManagedDestination) => ({
    status: 200 as const,
    headers: { ETag: formatETag(one.version) },
    body: dataEnvelope(toManaged(one)),
  })

  /** Ends what a deleted destination leaves, unless the name is now that of a declared one. */
  async function clean(name: string): Promise<z.infer<typeof deletedResource>> {
    const listed = await options.operations.list()
    if (listed.some((one) => one.name === name && one.state !== 'removed'))
      return { cancelled: 0, waiting: 0 }
    // A later destination of the name is not paused.
    await options.operations.resume(name)
    return await cancelAll(options.inbox, name)
  }

  return [
    {
      ...route.post(
        '/destinations',
        {
          access,
          operationId: 'createDestination',
          summary: 'Create a destination',
          description:
            'Every process sends to it within two seconds. The response is the only one with the generated secret.',
          body: createBody,
          bodyExample: { name: 'billing', url: 'https://billing.example.com/webhooks', mode: 'original' },
          responses: {
            201: {
              description: 'The destination with its secret',
              data: createdResource,
              headers: { Location: 'The address of the destination' },
            },
          },
          errors: ['CONFLICT'],
          idempotencyKey: true,
        },
        async ({ body: { secret: given, ...declaration } }, context) => {
          const secret = given ?? createSecret()
          const toResult = (one: ManagedDestination) => ({
            status: 201 as const,
            headers: {
              ETag: formatETag(one.version),
              Location: `${context.mountPath}/destinations/${one.name}`,
            },
            body: dataEnvelope({ ...toManaged(one), secret: given === undefined ? secret : null }),
          })
          const { saved, result } = await changeWithResult({ idempotency }, context, toResult, (save) =>
            destinations.create(declaration, secret, save),
          )
          await record(context, 'destination.create', { target: saved.name })
          return result
        },
      ),
      responseCipher: cipher,
    },

    route.get(
      '/destinations/{name}',
      {
        params,
        access,
        operationId: 'getDestination',
        tool: {},
        summary: 'Get a destination that the API created',
        responses: { 200: { description: 'The destination', data: managedResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { name } }) => show(await require(name)),
    ),

    route.patch(
      '/destinations/{name}',
      {
        params,
        access,
        operationId: 'patchDestination',
        summary: 'Change a destination',
        description: 'Every process sees the change within two seconds. Its circuit breaker starts closed.',
        body: patchBody,
        bodyExample: { rate_per_second: 20 },
        responses: { 200: { description: 'The destination', data: managedResource } },
        errors: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ params: { name }, body }, context) => {
        const current = await require(name)
        checkPreconditions({ ...context.conditions, etag: formatETag(current.version) })
        const changed = requireFound(
          await destinations.update(name, (one) => applyPatch(one, body), getVersion(context, current)),
          unknown,
        )
        await record(context, 'destination.update', { target: name, detail: { changed: Object.keys(body) } })
        return show(changed)
      },
    ),

    route.delete(
      '/destinations/{name}',
      {
        params,
        access,
        operationId: 'deleteDestination',
        summary: 'Delete a destination and its secrets',
        description:
          'Cancels the events that wait for it, unless a file declares a destination of the name. Events that other processes record within the next seconds wait for a removed destination: `POST /cancellations` cancels them.',
        responses: { 200: { description: 'The cancelled events', data: deletedResource } },
        errors: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ params: { name } }, context) => {
        const current = await require(name)
        checkPreconditions({ ...context.conditions, etag: formatETag(current.version) })
        const isDeleted = await destinations.delete(name, getVersion(context, current))
        requireFound(isDeleted || undefined, unknown)
        const result = await clean(name)
        await record(context, 'destination.delete', { target: name, detail: result })
        return { status: 200, body: dataEnvelope(result) }
      },
    ),

    {
      ...plain.post(
        '/destinations/{name}/secrets',
        {
          params,
          access,
          operationId: 'addDestinationSecret',
          summary: 'Add a secret to a destination',
          description:
            'Requests are signed with the old and the new secrets until the old ones are removed. The response is the only one with the generated secret.',
          body: addSecretBody,
          bodyRequired: false,
          bodyExample: {},
          responses: { 201: { description: 'The secret', data: secretResource } },
          errors: ['NOT_FOUND', 'CONFLICT'],
          idempotencyKey: true,
        },
        async ({ params: { name }, body }, context) => {
          const secret = body.secret ?? createSecret()
          const toResult = ({ secrets, updatedAt }: ManagedDestination) => ({
            status: 201 as const,
            body: dataEnvelope({
              id: secrets[0]?.id ?? '',
              secret: body.secret === undefined ? secret : null,
              created_at: new Date(updatedAt).toISOString(),
            }),
          })
          const { saved, result } = await changeWithResult({ idempotency }, context, toResult, async (save) =>
            requireFound(await destinations.addSecret(name, secret, save), unknown),
          )
          const detail = { secret_id: saved.secrets[0]?.id }
          await record(context, 'destination.secret.add', { target: name, detail })
          return result
        },
      ),
      responseCipher: cipher,
    },

    plain.delete(
      '/destinations/{name}/secrets/{secret_id}',
      {
        params: params.extend({ secret_id: z.string().max(64) }),
        access,
        operationId: 'removeDestinationSecret',
        summary: 'Remove a secret of a destination',
        responses: { 204: { description: 'The secret is removed' } },
        errors: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ params: { name, secret_id } }, context) => {
        requireFound((await destinations.removeSecret(name, secret_id)) || undefined, unknown)
        await record(context, 'destination.secret.remove', { target: name, detail: { secret_id } })
        return { status: 204 }
      },
    ),
  ]
}

/** Limits a change with `If-Match` to the version that the condition matched. */
const getVersion = ({ conditions }: Pick<ApiContext, 'conditions'>, { version }: ManagedDestination) =>
  conditions.ifMatch === undefined ? {} : { version }

const portion = { events: 1000, times: 100 }

async function cancelAll(
  inbox: ManagedDestinationRoutesOptions['inbox'],
  destination: string,
): Promise<z.infer<typeof deletedResource>> {
  let cancelled = 0
  for (let times = 0; times < portion.times; times++) {
    const result = await inbox.cancel?.({ filter: { destination }, limit: portion.events })
    cancelled += result?.events ?? 0
    if (result === undefined || result.events < portion.events)
      return { cancelled, waiting: result?.busy ?? 0 }
  }
  return { cancelled, waiting: 0 }
}
