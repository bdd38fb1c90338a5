import {
  createGateway,
  staticSecrets,
  type WebhookEvent,
  type Service,
  type Verification,
} from '@sallyport/webhooks'
import { plainDelivery } from './plain-delivery.ts'
import type { AcceptedVector } from './schema.ts'

type Request = Pick<AcceptedVector, 'secrets' | 'time' | 'method' | 'url' | 'headers' | 'body' | 'documents'>

/** What a receiver makes of a request: the result of the verification, the status, and the events. */
export interface Received {
  readonly verification: Verification
  readonly status: number
  readonly events: readonly WebhookEvent[]
}

/** Passes a request through the scheme of a service, and through a gateway. */
export async function receiveVector(provider: Service, request: Request): Promise<Received> {
  const { name, signature } = provider
  const { secrets, url, method } = request
  const now = Date.parse(request.time)
  const { headers, body } = plainDelivery(request)
  const events: WebhookEvent[] = []
  const gateway = createGateway({
    providers: [provider],
    allowUnsigned: [name],
    secrets: staticSecrets({ [name]: [...secrets] }),
    now: () => now,
    publisher: {
      publish: (batch) => {
        events.push(...batch)
        return Promise.resolve(batch.map(() => ({ ok: true as const })))
      },
    },
  })
  return withDocuments(request.documents ?? {}, async () => {
    const verification = await signature.verify({ method, headers, body, url }, secrets, now)
    const { status } = await gateway.handle({
      ...{ method, url, headers, provider: name, query: new URL(url).searchParams },
      readBody: (sink) => {
        sink.push(body)
        return Promise.resolve()
      },
    })
    return { verification, status, events }
  })
}

/** Answers requests to key servers from documents. A URL that ends with `*` stands for all longer ones. */
async function withDocuments<Result>(
  documents: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> {
  const { fetch } = globalThis
  globalThis.fetch = (input) => {
    const url = input instanceof Request ? input.url : String(input)
    const found = Object.entries(documents).find(([known]) =>
      known.endsWith('*') ? url.startsWith(known.slice(0, -1)) : url === known,
    )
    return Promise.resolve(new Response(found?.[1] ?? '', { status: found ? 200 : 404 }))
  }
  try {
    return await run()
  } finally {
    globalThis.fetch = fetch
  }
}
