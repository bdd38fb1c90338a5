import { github } from '@sallyport/providers/github'
import { createServerlessGateway, staticSecrets, type WebhookEvent } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'

/** The bindings of wrangler.jsonc. `wrangler types` generates the complete type. */
interface Env {
  readonly WEBHOOK_SECRET_GITHUB?: string
  readonly EVENTS: { sendBatch(messages: readonly { readonly body: WebhookEvent }[]): Promise<unknown> }
}

function createHandler({ WEBHOOK_SECRET_GITHUB: secret, EVENTS: queue }: Env) {
  const gateway = createServerlessGateway({
    providers: [github],
    // Without a secret, the gateway answers 503.
    secrets: staticSecrets({ github: [secret ?? ''] }),
    // An isolate may end after its response, so the events go to the queue first. An error becomes 503, which GitHub does not
    // repeat: queue-first.ts stores the request itself.
    warn: () => undefined,
    publisher: {
      async publish(events) {
        await queue.sendBatch(events.map((body) => ({ body })))
        return events.map(() => ({ ok: true }))
      },
    },
  })
  return createFetchHandler(gateway, {
    clientAddress: (request) => request.headers.get('cf-connecting-ip') ?? undefined,
  })
}

// One handler per isolate. The first request creates it, because the bindings are unavailable before.
let handler: ReturnType<typeof createHandler> | undefined

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    handler ??= createHandler(env)
    return handler(request)
  },

  /** Your own code for events of the queue. The same event may arrive again, with the same id. */
  queue({ messages }: { readonly messages: Iterable<{ readonly body: WebhookEvent }> }): void {
    for (const { body: event } of messages) console.log(event.name, event.id)
  },
}
