import { codehost } from '@sallyport/providers/codehost'
import { createGateway, staticSecrets, type InternalEvent } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'

/** Your own work. The same event may come again, with the same id. */
async function work({ name, id }: InternalEvent): Promise<void> {
  console.log(name, id)
}

const gateway = createGateway({
  providers: [codehost],
  // This module is loaded by the build too, where the secret is not known: without one, deliveries are answered 503.
  secrets: staticSecrets({ codehost: [process.env['WEBHOOK_SECRET_CODEHOST'] ?? ''] }),
  // A function may be frozen once it has answered, so the work comes first. What it throws is answered 503, and the
  // service sends the delivery again.
  publisher: {
    async publish(events) {
      for (const event of events) await work(event)
      return events.map(() => ({ ok: true }))
    },
  },
})

const handler = createFetchHandler(gateway, {
  // Set by Vercel itself. Elsewhere, take a header of the proxy that you trust.
  clientAddress: (request) => request.headers.get('x-real-ip') ?? undefined,
})

export { handler as GET, handler as OPTIONS, handler as POST }
