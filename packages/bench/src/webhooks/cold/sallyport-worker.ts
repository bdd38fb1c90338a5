import { github } from '@sallyport/providers/github'
import { stripe } from '@sallyport/providers/stripe'
import { createServerlessGateway, staticSecrets } from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import type { Environment } from './environment.ts'
import { sendToQueue } from './queue.ts'

function createHandler({ GITHUB_SECRET, STRIPE_SECRET }: Environment) {
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
  return createFetchHandler(gateway)
}

let handler: ReturnType<typeof createHandler> | undefined

export default {
  fetch(request: Request, environment: Environment): Promise<Response> {
    handler ??= createHandler(environment)
    return handler(request)
  },
}
