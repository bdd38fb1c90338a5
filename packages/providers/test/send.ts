import {
  createGateway,
  staticSecrets,
  type AnyProvider,
  type InternalEvent,
  type Message,
} from '@sallyport/webhooks'

/** One that schemes take as text, and one that others take as base64 behind its prefix. */
export const secret = `whsec_${btoa('the secret of the webhook')}`
export const now = Date.UTC(2026, 0)

/** The public address that deliveries are sent to, which some services sign. */
export const urlOf = ({ name }: Pick<AnyProvider, 'name'>): string =>
  `https://hooks.example.com/webhooks/${name}`

const encoder = new TextEncoder()

export const bytesOf = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : encoder.encode(typeof body === 'string' ? body : JSON.stringify(body))

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** The headers of the signature, where it is not to be made by the provider's own scheme. */
  readonly signed?: Readonly<Record<string, string>>
}

/** Sends a body through a gateway; answers its outcome, or the status of a refusal, and the events published. */
export async function send(provider: AnyProvider, body: unknown, options: SendOptions = {}) {
  const bytes = bytesOf(body)
  const url = urlOf(provider)
  const delivery = { method: 'POST', headers: new Headers(options.headers), body: bytes, url }
  const signed = options.signed ?? (await provider.signature.sign(delivery, secret, now))
  const events: InternalEvent[] = []
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
  return { outcome: outcomeOf(response), response, events }
}

function outcomeOf({ status, body }: { readonly status: number; readonly body: string }): string {
  // Without an inbox there is no quarantine: the gateway asks for another delivery.
  if (status !== 200) return status === 503 ? 'quarantined' : String(status)
  try {
    return (JSON.parse(body) as { data: { status: string } }).data.status
  } catch {
    return 'handshake'
  }
}

/** What a provider tells people about the event in a body. */
export async function messageOf(provider: AnyProvider, body: unknown): Promise<Message | undefined> {
  const [event] = (await send(provider, body)).events
  return event && provider.notify?.(event as never)
}
