import { github } from '@sallyport/providers/github'
import { createServerlessGateway, staticSecrets, type Gateway, type WebhookEvent } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'

/** A request as it arrived, before its verification. */
interface StoredRequest {
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: ArrayBuffer
}

interface StoredMessage {
  readonly body: StoredRequest
  /** When the queue received the message. */
  readonly timestamp: Date
  ack(): void
  retry(): void
}

interface Env {
  readonly WEBHOOK_SECRET_GITHUB?: string
  readonly REQUESTS: { send(request: StoredRequest, options: { contentType: 'v8' }): Promise<unknown> }
}

/** A message of a Cloudflare Queue has at most 128 KB. */
const maxStoredBytes = 100_000

/** Your own code. The same event may arrive again, with the same id. */
function handleEvent(event: WebhookEvent): void {
  console.log(event.name, event.id)
}

function createGateway({ WEBHOOK_SECRET_GITHUB: secret }: Env): Gateway {
  return createServerlessGateway({
    providers: [github],
    secrets: staticSecrets({ github: [secret ?? ''] }),
    // A request that fails stays in the queue.
    warn: () => undefined,
    publisher: {
      publish(events) {
        for (const event of events) handleEvent(event)
        return Promise.resolve(events.map(() => ({ ok: true })))
      },
    },
  })
}

// One gateway per isolate. The first request creates it, because the bindings are unavailable before.
let gateway: Gateway | undefined

/** Creates the handler of requests that arrived at a time. Signed times are compared with it. */
function createHandler(env: Env, receivedAt: number) {
  const opened = (gateway ??= createGateway(env))
  return createFetchHandler({ ...opened, handle: (request) => opened.handle({ ...request, receivedAt }) })
}

export default {
  /** Stores the request. No code that could fail runs before the answer, and the queue repeats what fails later. */
  async fetch(request: Request, env: Env): Promise<Response> {
    const body = await request.clone().arrayBuffer()
    if (request.method !== 'POST' || body.byteLength > maxStoredBytes)
      return await createHandler(env, Date.now())(request)
    await env.REQUESTS.send({ url: request.url, headers: [...request.headers], body }, { contentType: 'v8' })
    return new Response(null, { status: 202 })
  },

  /** Verifies the stored requests. A refused one moves to the dead-letter queue after `max_retries`. */
  async queue({ messages }: { readonly messages: Iterable<StoredMessage> }, env: Env): Promise<void> {
    for (const message of messages) {
      const { url, headers, body } = message.body
      const handle = createHandler(env, message.timestamp.getTime())
      const { ok } = await handle(
        new Request(url, { method: 'POST', headers: headers as [string, string][], body }),
      )
      if (ok) message.ack()
      else message.retry()
    }
  },
}
