import { openDatabase } from './database.ts'
import { startServer } from './server.ts'
import { createMyWebhooks, pushMigrations } from './webhooks.ts'

const { DATABASE_URL, WEBHOOK_SECRET_GITHUB, HOST = '127.0.0.1', PORT = '3000' } = process.env
if (!DATABASE_URL || !WEBHOOK_SECRET_GITHUB)
  throw new Error('Set DATABASE_URL and WEBHOOK_SECRET_GITHUB, as in .env.example')

const database = await openDatabase(DATABASE_URL, pushMigrations)
const webhooks = createMyWebhooks(database, WEBHOOK_SECRET_GITHUB)
webhooks.start()
const server = await startServer({ webhooks }, { host: HOST, port: Number(PORT) })
console.log(`http://localhost:${server.port}/webhooks/github`)

process.once('SIGTERM', async () => {
  await server.stop({ graceMs: 10_000 })
  await webhooks.stop()
  await database.close()
})
