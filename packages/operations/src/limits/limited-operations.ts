import type { WebhookOperations } from '@sallyport/webhooks/node'
import type { Endpoint } from '@sallyport/webhooks/endpoints'
import { SallyportError } from '@sallyport/errors'
import { supports } from '../inbox.ts'

/** Returns the ids of the endpoints that an operator may see. */
export type FindEndpointIds = () => Promise<readonly string[]>

/**
 * Limits the parts of webhooks to endpoints. Each method of the result applies the limit, and the result has no other parts: a
 * route of another part is absent.
 */
export function limitOperations(operations: WebhookOperations, findIds: FindEndpointIds): WebhookOperations {
  const { inbox, replayer, eraser, providers, gatewayUrl, unprocessed, onWork, stopping } = operations
  const { replayUnprocessed, diagnoseUnprocessed, secrets, idempotency } = operations
  const limit = async <Query extends object>(query: Query) => ({ ...query, endpoints: await findIds() })
  const owns = async (endpoint: string | undefined) =>
    endpoint !== undefined && (await findIds()).includes(endpoint)
  /** Reads no content, which may be unreadable. */
  const isOwn = async (id: string) =>
    supports(inbox, 'list') && (await inbox.list(await limit({ id, limit: 1 }))).length > 0
  const ownsUnprocessed = async (id: string) => owns((await unprocessed?.get(id))?.endpoint)
  return {
    ...{ providers, gatewayUrl, onWork, stopping, secrets, idempotency },
    inbox: limitInbox(inbox, { limit, isOwn }),
    ...(replayer && {
      replayer: {
        async replay(selection, options) {
          if ('filter' in selection)
            return await replayer.replay({ ...selection, filter: await limit(selection.filter) }, options)
          const own = await Promise.all(selection.ids.map(isOwn))
          return await replayer.replay({ ids: selection.ids.filter((_, index) => own[index]) }, options)
        },
        normalizeAgain: refuse,
      },
    }),
    ...(eraser && {
      eraser: {
        erase: async (filter, options) => eraser.erase(await limit(filter), options),
        eraseEndpoint: refuse,
      },
    }),
    ...(unprocessed && {
      unprocessed: {
        list: async (query) => unprocessed.list(await limit(query)),
        count: async (filter) => unprocessed.count(await limit(filter)),
        async get(id) {
          const record = await unprocessed.get(id)
          return (await owns(record?.endpoint)) ? record : undefined
        },
      },
      ...(replayUnprocessed && {
        replayUnprocessed: async (id) => ((await ownsUnprocessed(id)) ? replayUnprocessed(id) : undefined),
      }),
      ...(diagnoseUnprocessed && {
        diagnoseUnprocessed: async (id) =>
          (await ownsUnprocessed(id)) ? diagnoseUnprocessed(id) : undefined,
      }),
    }),
    ...(operations.endpoints && { endpoints: limitEndpoints(operations.endpoints, findIds) }),
  }
}

interface Limit {
  readonly limit: <Query extends object>(
    query: Query,
  ) => Promise<Query & { readonly endpoints: readonly string[] }>
  readonly isOwn: (delivery: string) => Promise<boolean>
}

function limitInbox(inbox: WebhookOperations['inbox'], { limit, isOwn }: Limit): WebhookOperations['inbox'] {
  return {
    ...(supports(inbox, 'makeDue') && {
      makeDue: async (options) => inbox.makeDue({ ...options, filter: await limit(options.filter ?? {}) }),
    }),
    ...(supports(inbox, 'list') && { list: async (query) => inbox.list(await limit(query)) }),
    ...(supports(inbox, 'countDeliveries') && {
      countDeliveries: async (filter, options) => inbox.countDeliveries(await limit(filter), options),
    }),
    ...(supports(inbox, 'lastRecorded') && { lastRecorded: () => inbox.lastRecorded() }),
    ...(supports(inbox, 'recorded') && { recorded: async (query) => inbox.recorded(await limit(query)) }),
    ...(supports(inbox, 'published') && { published: async (query) => inbox.published(await limit(query)) }),
    ...(supports(inbox, 'countPublished') && {
      countPublished: async (query) => inbox.countPublished(await limit(query)),
    }),
    ...(supports(inbox, 'failures') && { failures: async (query) => inbox.failures(await limit(query)) }),
    ...(supports(inbox, 'cancel') && {
      cancel: async (options) => inbox.cancel({ ...options, filter: await limit(options.filter) }),
    }),
    ...(supports(inbox, 'get') && {
      get: async (id) => ((await isOwn(id)) ? inbox.get(id) : undefined),
    }),
    ...(supports(inbox, 'eraseBody') && {
      eraseBody: async (id) => (await isOwn(id)) && (await inbox.eraseBody(id)),
    }),
  }
}

type ManagedEndpoints = NonNullable<WebhookOperations['endpoints']>

/** The endpoints of a limit can be read only. */
function limitEndpoints({ endpoints, cipher }: ManagedEndpoints, findIds: FindEndpointIds): ManagedEndpoints {
  const getMany = async (ids: readonly string[]): Promise<readonly Endpoint[]> => {
    const own = new Set(await findIds())
    return endpoints.getMany(ids.filter((id) => own.has(id)))
  }
  return {
    cipher,
    endpoints: {
      getMany,
      get: async (id) => (await getMany([id]))[0],
      list: async (query) => endpoints.list({ ...query, ids: await findIds() }),
      count: async (filter) => endpoints.count({ ...filter, ids: await findIds() }),
      ...{ create: refuse, update: refuse, delete: refuse, addSecret: refuse, removeSecret: refuse },
      ...{ startHandshake: refuse, takeSecret: refuse },
    },
  }
}

/** @throws SallyportError 403 `FORBIDDEN` */
export function refuse(): never {
  throw new SallyportError(
    'FORBIDDEN',
    'Your access is limited to endpoints by their labels: this is not part of it',
  )
}
