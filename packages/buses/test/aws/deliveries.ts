import {
  createGateway,
  defineProvider,
  createMemoryInbox,
  standardWebhooks,
  staticSecrets,
  type CompleteInbox,
  type Gateway,
  type GatewayOptions,
} from '@sallyport/webhooks'
import { z } from 'zod'

const secret = `whsec_${Buffer.from('a secret of the doorbell').toString('base64')}`
const signature = standardWebhooks()

/** Accepts `{ kind, id }`. The kind `rung` is an event, `broken` cannot be read, and every other kind is ignored. */
const doorbell = defineProvider({
  ...{ name: 'doorbell', signature },
  events: { 'bell.rung': z.object({ id: z.string() }) },
  normalize({ payload }) {
    const { kind, id } = payload as { kind: string; id: string }
    if (kind === 'broken') throw new Error('broken')
    return kind === 'rung' ? { kind: 'bell.rung', key: [id], subject: id, data: { id } } : []
  },
})

/** Creates a gateway with an inbox in memory. */
export function openGateway(options: Partial<Pick<GatewayOptions, 'now' | 'observe'>> = {}): {
  readonly gateway: Gateway
  readonly inbox: CompleteInbox
} {
  const inbox = createMemoryInbox()
  const secrets = staticSecrets({ doorbell: [secret] })
  return { inbox, gateway: createGateway({ providers: [doorbell], secrets, inbox, ...options }) }
}

interface MessageOptions {
  /** The signed time. */
  readonly time?: number
  /** When API Gateway received the request. @default the signed time */
  readonly requestedAt?: unknown
  readonly path?: string
  readonly isForged?: boolean
}

/** Creates a message as the mapping template of the README writes it. */
export async function createMessage(
  payload: { readonly kind: string; readonly id: string },
  options: MessageOptions = {},
): Promise<string> {
  const { time = Date.now(), path = '/prod/webhooks/doorbell', isForged = false } = options
  const { requestedAt = time } = options
  const body = new TextEncoder().encode(JSON.stringify(payload))
  const headers = await signature.sign({ method: 'POST', headers: new Headers(), body }, secret, time)
  return JSON.stringify({
    ...{ httpMethod: 'POST', path, isBase64Encoded: true },
    headers: { 'Content-Type': 'application/json', ...headers, ...(isForged && { 'webhook-id': 'other' }) },
    body: Buffer.from(body).toString('base64'),
    requestContext: {
      ...{ stage: 'prod', requestTimeEpoch: requestedAt },
      identity: { sourceIp: '192.0.2.1' },
    },
  })
}
