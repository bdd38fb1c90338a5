import { github } from '@sallyport/providers/github'
import { stripe } from '@sallyport/providers/stripe'
import { createServerlessGateway, staticSecrets } from '@sallyport/webhooks'
import { createLambdaHandler } from '@sallyport/webhooks/lambda'
import { sendToQueue } from './queue.ts'

const { GITHUB_SECRET = '', STRIPE_SECRET = '' } = process.env

const gateway = createServerlessGateway({
  providers: [github, stripe],
  secrets: staticSecrets({ github: [GITHUB_SECRET], stripe: [STRIPE_SECRET] }),
  warn: () => undefined,
  publisher: {
    async publish(events) {
      await sendToQueue(events)
      return events.map(() => ({ ok: true }))
    },
  },
})

export const handler = createLambdaHandler(gateway)
