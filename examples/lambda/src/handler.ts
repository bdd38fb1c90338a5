import { github } from '@sallyport/providers/github'
import { createGateway, staticSecrets, type WebhookEvent } from '@sallyport/webhooks'
import { createLambdaHandler } from '@sallyport/webhooks/lambda'

/** Your own code, such as a message to SQS or EventBridge. The same event may arrive again, with the same id. */
async function work({ name, id }: WebhookEvent): Promise<void> {
  console.log(name, id)
}

const { WEBHOOK_SECRET_GITHUB: secret } = process.env
if (!secret) throw new Error('Set WEBHOOK_SECRET_GITHUB to the secret of the webhook')

const gateway = createGateway({
  providers: [github],
  secrets: staticSecrets({ github: [secret] }),
  // Lambda freezes a function after its response, so the work comes first. An error becomes 503. GitHub never sends a
  // delivery again by itself: use a queue as the publisher if no event may be lost.
  publisher: {
    async publish(events) {
      for (const event of events) await work(event)
      return events.map(() => ({ ok: true }))
    },
  },
})

export const handler = createLambdaHandler(gateway)
