import { parseJson, type ValueSource } from '@sallyport/webhooks'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a push: JSON, and the data of a push without a wrapper, which can be any text. */
export function parsePush(body: Uint8Array, integers?: 'text' | 'number'): unknown {
  try {
    return parseJson(body, integers)
  } catch (error) {
    try {
      return decoder.decode(body)
    } catch {
      throw error
    }
  }
}

interface Push {
  readonly message?: Readonly<Record<string, unknown>>
  readonly subscription?: string
}

/** Returns the message of a push with a wrapper. The data of a publisher can have members of the same names. */
function readMessage(event: unknown): Push['message'] {
  const { message, subscription } = Object(event) as Push
  const isWrapped = typeof subscription === 'string' && typeof message?.['messageId'] === 'string'
  return isWrapped ? message : undefined
}

/** Reads a value of the wrapper, or the header with the metadata of a push without a wrapper. */
const readMetadata =
  (name: string, header: string): ValueSource =>
  (event, { headers }) => {
    const message = readMessage(event)
    return message === undefined ? (headers.get(header) ?? undefined) : message[name]
  }

export const messageId = readMetadata('messageId', 'x-goog-pubsub-message-id')
export const publishTime = readMetadata('publishTime', 'x-goog-pubsub-publish-time')
export const orderingKey = readMetadata('orderingKey', 'x-goog-pubsub-ordering-key')

/** The name of the subscription. */
export const subscription: ValueSource = (event, { headers }) =>
  readMessage(event) === undefined
    ? (headers.get('x-goog-pubsub-subscription-name') ?? undefined)
    : (Object(event) as Push).subscription

/**
 * The attribute `eventType` of Cloud Storage, or `ce-type` of CloudEvents. Publishers choose their attributes, which are headers
 * of a push without a wrapper.
 */
export const pushKind: ValueSource = (event, { headers }) => {
  const message = readMessage(event)
  if (message === undefined) return headers.get('eventtype') ?? headers.get('ce-type') ?? 'message'
  const attributes = Object(message['attributes']) as Readonly<Record<string, unknown>>
  return attributes['eventType'] ?? attributes['ce-type'] ?? 'message'
}
