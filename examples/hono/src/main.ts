import { serve } from '@hono/node-server'
import { codehost } from '@sallyport/providers/codehost'
import { createDispatcher, createGateway, memoryBus, memoryInbox, staticSecrets } from '@sallyport/webhooks'
import { createApp } from './app.ts'

const { WEBHOOK_SECRET_CODEHOST: secret, PORT = '3111' } = process.env
if (!secret) throw new Error('Set WEBHOOK_SECRET_CODEHOST to the secret of the webhook')

// Replace this bus with your own, such as NATS or Redis.
const bus = memoryBus()
bus.subscribe(({ name, subject }) => {
  console.log(name, subject)
})

// This inbox loses unpublished events when the process ends. @sallyport/sql has durable inboxes.
const inbox = memoryInbox()
const dispatcher = createDispatcher({ inbox, publisher: bus })
dispatcher.start()

const gateway = createGateway({
  providers: [codehost],
  secrets: staticSecrets({ codehost: [secret] }),
  inbox,
  dispatcher,
})

serve({ fetch: createApp(gateway).fetch, port: Number(PORT) }, ({ port }) => {
  console.log(`http://localhost:${port}/webhooks/codehost`)
})
