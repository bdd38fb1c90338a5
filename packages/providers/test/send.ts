import {
  createGateway,
  staticSecrets,
  type AnyProvider,
  type WebhookEvent,
  type Message,
} from '@sallyport/webhooks'

/** Valid as text and, without its prefix, as base64. */
export const secret = `whsec_${btoa('the secret of the webhook')}`
export const now = Date.UTC(2026, 0)

/** The public address of a provider's endpoint, which some services sign. */
export const getUrl = ({ name }: Pick<AnyProvider, 'name'>): string =>
  `https://hooks.example.com/webhooks/${name}`

const encoder = new TextEncoder()

export const toBytes = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : encoder.encode(typeof body === 'string' ? body : JSON.stringify(body))

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** The signature headers, if the provider's scheme should not make them. */
  readonly signed?: Readonly<Record<string, string>>
}

/** Sends a body through a gateway. Returns its outcome, or the status of an error, and the published events. */
export async function send(provider: AnyProvider, body: unknown, options: SendOptions = {}) {
  const bytes = toBytes(body)
  const url = getUrl(provider)
  const delivery = { method: 'POST', headers: new Headers(options.headers), body: bytes, url }
  const signed = options.signed ?? (await provider.signature.sign(delivery, secret, now))
  const events: WebhookEvent[] = []
  const gateway = createGateway({
    providers: [provider],
    secrets: staticSecrets({ [provider.name]: [secret] }),
    now: () => now,
    publisher: {
      publish: async (batch) => {
        events.push(...batch)
        return batch.map(() => ({ ok: true as const }))
      },
    },
  })
  const response = await gateway.handle({
    method: 'POST',
    provider: provider.name,
    url,
    headers: new Headers({ ...options.headers, ...signed }),
    readBody: async (sink) => {
      sink.push(bytes)
    },
  })
  return { outcome: getOutcome(response), response, events }
}

function getOutcome({ status, body }: { readonly status: number; readonly body: string }): string {
  // Quarantine needs an inbox; without one the gateway answers 503.
  if (status !== 200) return status === 503 ? 'quarantined' : String(status)
  try {
    return (JSON.parse(body) as { data: { status: string } }).data.status
  } catch {
    return 'handshake'
  }
}

/** The notification of a provider about the event in a body. */
export async function createMessage(provider: AnyProvider, body: unknown): Promise<Message | undefined> {
  const [event] = (await send(provider, body)).events
  return event && provider.notify?.(event as never)
}
