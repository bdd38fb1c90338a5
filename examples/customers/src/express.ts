import { createConsole } from '@sallyport/console'
import { createExpressHandler } from '@sallyport/rest/express'
import express from 'express'
import type { AddressInfo } from 'node:net'
import { operations, webhooks } from './webhooks.ts'

webhooks.start()
const app = express()
app.use(webhooks.express) // before body parsers, which would consume the signed bytes
app.use('/operations', createExpressHandler(operations))
app.use('/console', createExpressHandler(createConsole()))
const server = app.listen(Number(process.env['PORT'] ?? 3111), () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}/console`)
})
