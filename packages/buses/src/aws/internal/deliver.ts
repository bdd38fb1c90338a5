import type { Gateway } from '@sallyport/webhooks'
import { createLambdaHandler, type LambdaEvent, type LambdaHandlerOptions } from '@sallyport/webhooks/lambda'

/** A message of a queue of deliveries. */
export interface DeliveryMessage {
  readonly messageId: string
  readonly body: string
  /** When the queue received the message, in milliseconds since the epoch. A redrive sets it again. */
  readonly sentAt: number
}

/** A message that the gateway refused. It stays in the queue, which moves it to its dead letters. */
export interface RefusedMessage {
  readonly messageId: string
  /** The HTTP status of the response; absent for a message that is not a request. */
  readonly status?: number
  /** The error code of the response, or `NOT_A_REQUEST`. */
  readonly code: string
}

/** The outcome of a message: the gateway took or refused it, or may take it later. */
export type Delivered =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'refused'; readonly refused: RefusedMessage }
  | { readonly outcome: 'postponed'; readonly afterMs: number }

/** Creates the function that passes the request in a message to a gateway, with the time at which it was received. */
export function createDeliver(
  gateway: Gateway,
  options: LambdaHandlerOptions,
): (message: DeliveryMessage) => Promise<Delivered> {
  const { providers, hasEndpoints = false } = gateway
  // Without an address, no limit applies: a queue has no sender to slow down, and its deliveries are not sent again.
  const handlerOptions = { clientAddress: () => undefined, ...options }
  // Throws for invalid options, before the first message.
  createLambdaHandler(gateway, handlerOptions)

  return async ({ messageId, body, sentAt }) => {
    let result: Awaited<ReturnType<ReturnType<typeof createLambdaHandler>>>
    try {
      const event = JSON.parse(body) as LambdaEvent
      const receivedAt = readReceivedAt(event, sentAt)
      const timed: Gateway = {
        ...{ providers, hasEndpoints },
        handle: (request) => gateway.handle({ ...request, receivedAt, requestId: messageId }),
      }
      result = await createLambdaHandler(timed, handlerOptions)(event)
    } catch {
      // The error is dropped because it may quote the body.
      return { outcome: 'refused', refused: { messageId, code: 'NOT_A_REQUEST' } }
    }
    const { statusCode: status, headers } = result
    if (status < 300) return { outcome: 'taken' }
    if (status !== 429 && status < 500)
      return { outcome: 'refused', refused: { messageId, status, code: readCode(result.body) } }
    return { outcome: 'postponed', afterMs: (Number(headers['retry-after']) || 0) * 1000 }
  }
}

interface RequestTimes {
  /** In the payload format 1.0. */
  readonly requestTimeEpoch?: unknown
  /** In the payload format 2.0. */
  readonly timeEpoch?: unknown
}

/**
 * Returns the time of the request, or that of the message if the request has none before it. The API writes the former
 * into the message, so it is as trustworthy as the message, and a redrive keeps it.
 */
function readReceivedAt({ requestContext }: LambdaEvent, sentAt: number): number | undefined {
  if (!Number.isFinite(sentAt)) return undefined
  const { requestTimeEpoch, timeEpoch } = Object(requestContext) as RequestTimes
  const requestedAt = requestTimeEpoch ?? timeEpoch
  if (typeof requestedAt !== 'number' || !Number.isSafeInteger(requestedAt)) return sentAt
  return requestedAt > 0 ? Math.min(requestedAt, sentAt) : sentAt
}

function readCode(body: string): string {
  try {
    return (JSON.parse(body) as { error: { code: string } }).error.code
  } catch {
    return 'REFUSED'
  }
}
