import { codehost } from '@sallyport/providers/codehost'
import { createGateway, staticSecrets, type InternalEvent } from '@sallyport/webhooks'
import { createLambdaHandler } from '@sallyport/webhooks/lambda'

/** Your own code, such as a message to SQS or EventBridge. The same event may arrive again, with the same id. */
async function work({ name, id }: InternalEvent): Promise<void> {
  console.log(name, id)
}

const { WEBHOOK_SECRET_CODEHOST: secret } = process.env
if (!secret) throw new Error('Set WEBHOOK_SECRET_CODEHOST to the secret of the webhook')

const gateway = createGateway({
  providers: [codehost],
  secrets: staticSecrets({ codehost: [secret] }),
  // Lambda freezes a function after its response, so the work comes first. An error becomes 503, and the service sends the
  // delivery again.
  publisher: {
    async publish(events) {
      for (const event of events) await work(event)
      return events.map(() => ({ ok: true }))
    },
  },
})

export const handler = createLambdaHandler(gateway)
