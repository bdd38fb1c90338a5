import { serve } from '@hono/node-server'
import { github } from '@sallyport/providers/github'
import { createWebhooks, createMemoryDatabase } from '@sallyport/webhooks/node'
import { createApp } from './app.ts'

const { WEBHOOK_SECRET_GITHUB, PORT = '3111' } = process.env

const webhooks = createWebhooks({
  providers: [github],
  secrets: { github: WEBHOOK_SECRET_GITHUB },
  // This database loses unhandled events when the process ends. @sallyport/sql has durable ones.
  database: createMemoryDatabase(),
  on: {
    'github/workflow_run.completed': ({ name, subject }) => {
      console.log(name, subject)
    },
  },
})
webhooks.start()

serve({ fetch: createApp(webhooks.gateway).fetch, port: Number(PORT) }, ({ port }) => {
  console.log(`http://localhost:${port}/webhooks/github`)
})
