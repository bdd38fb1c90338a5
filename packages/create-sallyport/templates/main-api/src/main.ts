import { createMyApi } from './api.ts'
import { bookMigrations } from './books.ts'
import { openDatabase } from './database.ts'
import { startServer } from './server.ts'

const { DATABASE_URL, JWT_SECRET, HOST = '127.0.0.1', PORT = '3000' } = process.env
if (!DATABASE_URL || !JWT_SECRET) throw new Error('Set DATABASE_URL and JWT_SECRET, as in .env.example')

const database = await openDatabase(DATABASE_URL, bookMigrations)
const api = createMyApi(database, JWT_SECRET)
const server = await startServer({ api }, { host: HOST, port: Number(PORT) })
console.log(`http://localhost:${server.port}/api/docs`)

process.once('SIGTERM', async () => {
  await server.stop({ graceMs: 10_000 })
  await api.close()
  await database.close()
})
