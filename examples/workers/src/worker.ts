import { codehost } from '@sallyport/providers/codehost'
import { createServerlessGateway, staticSecrets, type InternalEvent } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'

/** What wrangler.jsonc binds; `wrangler types` writes it out in full. */
interface Env {
  readonly WEBHOOK_SECRET_CODEHOST?: string
  readonly EVENTS: { sendBatch(messages: readonly { readonly body: InternalEvent }[]): Promise<unknown> }
}

function createHandler({ WEBHOOK_SECRET_CODEHOST: secret, EVENTS: queue }: Env) {
  const gateway = createServerlessGateway({
    providers: [codehost],
    // Until it is set, deliveries are answered 503.
    secrets: staticSecrets({ codehost: [secret ?? ''] }),
    // An isolate may be gone once it has answered, so the queue has the events first. What it refuses is answered 503,
    // and the service sends the delivery again.
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

// One for all requests of an isolate, made by the first: bindings are not there before.
let handler: ReturnType<typeof createHandler> | undefined

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    handler ??= createHandler(env)
    return handler(request)
  },

  /** Your own work, once the queue hands the events over. The same event may come again, with the same id. */
  queue({ messages }: { readonly messages: Iterable<{ readonly body: InternalEvent }> }): void {
    for (const { body: event } of messages) console.log(event.name, event.id)
  },
}
