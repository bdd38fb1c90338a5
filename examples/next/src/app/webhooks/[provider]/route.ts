import { github } from '@sallyport/providers/github'
import { createGateway, staticSecrets, type WebhookEvent } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'

/** Your own code. The same event may arrive again, with the same id. */
async function work({ name, id }: WebhookEvent): Promise<void> {
  console.log(name, id)
}

const gateway = createGateway({
  providers: [github],
  // The build loads this module without the secret. Without a secret, the gateway answers 503.
  secrets: staticSecrets({ github: [process.env['WEBHOOK_SECRET_GITHUB'] ?? ''] }),
  // A function may be frozen after its response, so the work comes first. An error becomes 503. GitHub never sends a
  // delivery again by itself: use a queue as the publisher if no event may be lost.
  publisher: {
    async publish(events) {
      for (const event of events) await work(event)
      return events.map(() => ({ ok: true }))
    },
  },
})

const handler = createFetchHandler(gateway, {
  // Vercel sets this header. On other platforms, use a header of a trusted proxy.
  clientAddress: (request) => request.headers.get('x-real-ip') ?? undefined,
})

export { handler as GET, handler as OPTIONS, handler as POST }
