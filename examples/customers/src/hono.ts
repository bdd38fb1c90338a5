import { serve } from '@hono/node-server'
import { createConsole } from '@sallyport/console'
import { createHonoHandler } from '@sallyport/rest/hono'
import { Hono } from 'hono'
import { operations, webhooks } from './webhooks.ts'

webhooks.start()
const app = new Hono()
  .all('/webhooks/*', ({ req }) => webhooks.fetch(req.raw))
  .all('/operations/*', createHonoHandler(operations))
  .all('/console/*', createHonoHandler(createConsole()))
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3111) }, ({ port }) => {
  console.log(`http://localhost:${port}/console`)
})
