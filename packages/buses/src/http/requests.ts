import { SallyportError } from '@sallyport/errors'
import { ignoreRejection } from '@sallyport/internal/promises'
import { sha256Hex, type DestinationMessage, type WebhookEvent } from '@sallyport/webhooks'
import { appendQuery, joinIds, readOwnHeaders, selectHeaders } from './headers.ts'
import type { EventDestinationOptions, OriginalDestinationOptions } from './options.ts'
import { createProviderSigner, createStandardSigner, type Sign, type UnsignedRequest } from './sign.ts'

/** A message that no attempt can send. */
export class UnsendableError extends Error {}

/** A message of a destination. A publisher does not know the number of the attempt. */
export type OutgoingMessage = Omit<DestinationMessage, 'attempt'> & { readonly attempt?: number }

export interface RequestBuilder {
  readonly build: (message: OutgoingMessage) => Promise<UnsignedRequest>
  readonly sign: Sign
  /** Loads what the format needs. */
  readonly prepare?: () => Promise<unknown>
  /** The values of the configured headers, which can be credentials. */
  readonly ownValues: readonly string[]
}

type Content = Pick<UnsignedRequest, 'url' | 'headers' | 'body'>

const encoder = new TextEncoder()

/** Creates the requests of original mode: one per delivery. @throws TypeError for invalid options */
export function createOriginalRequests(options: OriginalDestinationOptions, url: URL): RequestBuilder {
  const { sign = 'standard-webhooks', providers = [], allowHeaders, query = false, secrets } = options
  const own = readOwnHeaders(options.headers)
  const allowed = allowHeaders && new Set(allowHeaders.map((name) => name.toLowerCase()))
  const toContent = ({ request }: OutgoingMessage): Content => {
    if (request === undefined) throw new UnsendableError('The body of the delivery was deleted')
    return {
      url: query ? appendQuery(url, request.query) : url,
      headers: { ...selectHeaders(request.headers, allowed), ...own },
      body: request.body,
    }
  }
  return {
    ownValues: Object.values(own),
    build: (message) => addMetadata(message, toContent(message)),
    sign: sign === 'provider' ? createProviderSigner(secrets, providers) : createStandardSigner(secrets),
  }
}

/** Creates the requests of event mode: one per event. @throws TypeError for invalid options */
export function createEventRequests(options: EventDestinationOptions, url: URL): RequestBuilder {
  const own = readOwnHeaders(options.headers)
  const { encode, prepare } =
    options.format === 'cloudevents' ? createCloudEventsEncoder() : { encode: encodeJson }
  return {
    ...(prepare && { prepare }),
    ownValues: Object.values(own),
    async build(message) {
      const [event] = message.events
      if (event === undefined) throw new UnsendableError('The message has no event')
      const { headers, body } = await encode(event)
      return addMetadata(message, { url, headers: { ...own, ...headers }, body: encoder.encode(body) })
    },
    sign: createStandardSigner(options.secrets),
  }
}

type Encode = (event: WebhookEvent) => Promise<{
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}>

const encodeJson: Encode = async (event) => ({
  headers: { 'content-type': 'application/json' },
  body: await encodeOnce(() => JSON.stringify(event)),
})

function createCloudEventsEncoder() {
  const loading = import('../cloudevents/modes.ts').catch((cause: unknown) => {
    throw new SallyportError('SERVICE_UNAVAILABLE', 'A library is missing: npm install cloudevents', {
      cause,
    })
  })
  ignoreRejection(loading)
  const encode: Encode = async (event) => {
    const { modes } = await loading
    return encodeOnce(() => modes.structured.encode(event))
  }
  return { encode, prepare: () => loading }
}

/** @throws UnsendableError without the message of the cause, which can quote the data */
async function encodeOnce<Encoded>(encode: () => Encoded): Promise<Encoded> {
  try {
    return await Promise.resolve(encode())
  } catch {
    throw new UnsendableError('The event cannot be written in the format of the destination')
  }
}

async function addMetadata(message: OutgoingMessage, content: Content): Promise<UnsignedRequest> {
  const { deliveryId, events, attempt } = message
  const ids = events.map(({ id }) => id)
  const { source, trace } = events[0] as WebhookEvent
  return {
    ...content,
    provider: source.provider,
    // The hash has no dot, which a signed id must not have.
    id: `msg_${await sha256Hex(encoder.encode(JSON.stringify(ids)))}`,
    headers: {
      ...content.headers,
      'sallyport-delivery-id': deliveryId,
      'sallyport-event-ids': joinIds(ids),
      'sallyport-provider': source.provider,
      ...(source.endpoint !== undefined && { 'sallyport-endpoint': source.endpoint }),
      ...(attempt !== undefined && { 'sallyport-attempt': String(attempt) }),
      ...(trace !== undefined && { traceparent: trace.traceparent }),
      ...(trace?.tracestate !== undefined && { tracestate: trace.tracestate }),
    },
  }
}
