import { createMyApi } from './api.ts'
import { bookMigrations } from './books.ts'
import { openDatabase } from './database.ts'
import { startServer } from './server.ts'
import { createMyWebhooks, pushMigrations } from './webhooks.ts'

const { DATABASE_URL, JWT_SECRET, WEBHOOK_SECRET_GITHUB, HOST = '127.0.0.1', PORT = '3000' } = process.env
if (!DATABASE_URL || !JWT_SECRET || !WEBHOOK_SECRET_GITHUB)
  throw new Error('Set DATABASE_URL, JWT_SECRET and WEBHOOK_SECRET_GITHUB, as in .env.example')

const database = await openDatabase(DATABASE_URL, { ...bookMigrations, ...pushMigrations })
const api = createMyApi(database, JWT_SECRET)
const webhooks = createMyWebhooks(database, WEBHOOK_SECRET_GITHUB)
webhooks.start()
const server = await startServer({ api, webhooks }, { host: HOST, port: Number(PORT) })
console.log(`http://localhost:${server.port}/api/docs`)
console.log(`http://localhost:${server.port}/webhooks/github`)

process.once('SIGTERM', async () => {
  await server.stop({ graceMs: 10_000 })
  await webhooks.stop()
  await api.close()
  await database.close()
})
