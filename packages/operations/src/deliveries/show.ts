import { readRow } from '@sallyport/internal/destination-row'
import { Buffer } from 'node:buffer'
import {
  createRouteGroup,
  dataEnvelope,
  requireFound,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { DeliveryDetail, DeliverySummary, EventState, Failure, OperatorInbox } from '@sallyport/webhooks'
import { nameEndpoint, noNames, type EndpointNames, type FindEndpointNames } from '../endpoints/names.ts'
import { idParams } from '@sallyport/internal/resource-fields'
import { deliveryDetail, type DeliveryDetailResource, type DeliveryResource } from './schemas.ts'

const route = createRouteGroup({ tags: ['deliveries'] })

export const unknownDelivery = 'There is no delivery with this id'

/** Creates the route that shows a delivery. */
export function getDeliveryRoute(
  inbox: Pick<OperatorInbox, 'get'>,
  findNames: FindEndpointNames,
  access: RouteAccess,
): RouteBinding {
  return route.get(
    '/deliveries/{id}',
    {
      operationId: 'getDelivery',
      tool: {},
      summary: 'Get a delivery with its body, its events and their attempts',
      access,
      params: idParams,
      responses: { 200: { description: 'The delivery', data: deliveryDetail } },
      errors: ['NOT_FOUND', 'BODY_CHANGED', 'BODY_MISSING', 'BODY_UNAVAILABLE'],
      etag: true,
    },
    async ({ params: { id } }) => ({
      status: 200,
      body: dataEnvelope(await readDetail(inbox, findNames, id)),
    }),
  )
}

/** Reads a delivery with its content. @throws SallyportError 404 `NOT_FOUND` */
export async function readDetail(
  inbox: Pick<OperatorInbox, 'get'>,
  findNames: FindEndpointNames,
  id: string,
): Promise<DeliveryDetailResource> {
  const delivery = requireFound(await inbox.get(id), unknownDelivery)
  return toDetail(delivery, await findNames([delivery.endpoint]))
}

/** A delivery in a list. */
export function toDelivery({ events, ...delivery }: DeliverySummary, names: EndpointNames): DeliveryResource {
  const { created_at, ...summary } = toSummary(delivery, names)
  return { ...summary, event_counts: events, created_at }
}

/** A delivery with its content, events and attempts. */
export function toDetail(
  { headers, query, body, events, ...delivery }: DeliveryDetail,
  names = noNames,
): DeliveryDetailResource {
  const { created_at, ...summary } = toSummary(delivery, names)
  return {
    ...summary,
    headers,
    query: query ?? null,
    body: body === undefined ? null : toText(body),
    events: events.map(toEvent),
    created_at,
  }
}

function toSummary(delivery: Omit<DeliverySummary, 'events'>, names: EndpointNames) {
  return {
    id: delivery.id,
    provider: delivery.provider,
    endpoint: delivery.endpoint ?? null,
    ...nameEndpoint(names, delivery.endpoint),
    status: delivery.status,
    reason: delivery.reason ?? null,
    reason_detail: delivery.reasonDetail ?? null,
    body_state: delivery.bodyState,
    body_bytes: delivery.bodyBytes,
    kind: delivery.kind ?? null,
    subject: delivery.subject ?? null,
    attempts: delivery.attempts,
    last_error: delivery.lastError ?? null,
    created_at: formatTime(delivery.receivedAt),
  }
}

function toEvent({ event, notification, ...state }: EventState): DeliveryDetailResource['events'][number] {
  const { destination = null, id } = readRow(event.id)
  const { replayOf } = event.source
  return {
    id,
    destination,
    replay_of: replayOf === undefined ? null : readRow(replayOf).id,
    name: event.name,
    subject: event.subject,
    route: state.route,
    state: state.status,
    ...toAttempts(state, state.status === 'published'),
    lease_ends_at: optionalTime(state.leaseEndsAt),
    occurred_at: formatTime(event.ts),
    published_at: optionalTime(state.publishedAt),
    duplicate: state.duplicate ?? false,
    notification:
      notification === undefined
        ? null
        : { state: notification.status, ...toAttempts(notification, notification.status === 'sent') },
  }
}

function toAttempts(
  { attempts, dueAt, failures }: Pick<EventState, 'attempts' | 'dueAt' | 'failures'>,
  succeeded: boolean,
) {
  return {
    // The inbox counts failed attempts.
    attempts: attempts + (succeeded ? 1 : 0),
    due_at: optionalTime(dueAt),
    failures: failures.map(toFailure),
  }
}

/** A failed attempt. */
export const toFailure = ({ at, error, response }: Failure) => ({
  at: formatTime(at),
  error,
  response: response
    ? {
        status: response.status ?? null,
        duration_ms: Math.round(response.durationMs),
        body: response.body ?? null,
      }
    : null,
})

// A byte order mark is part of the bytes.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns bytes as text if they are UTF-8, and as base64 otherwise. */
export function toText(bytes: Uint8Array): NonNullable<DeliveryDetailResource['body']> {
  try {
    return { encoding: 'utf-8', data: utf8.decode(bytes) }
  } catch {
    return { encoding: 'base64', data: Buffer.from(bytes).toString('base64') }
  }
}

const formatTime = (milliseconds: number) => new Date(milliseconds).toISOString()
const optionalTime = (milliseconds: number | undefined) =>
  milliseconds === undefined ? null : formatTime(milliseconds)
