import { memoryBus } from '@sallyport/webhooks'
import { createHash, timingSafeEqual } from 'node:crypto'
import { createApp } from './app.ts'

const { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: keys, ADMIN_TOKEN: token, PORT = '3111' } = process.env
if (!databaseUrl || !keys || !token) throw new Error('Set DATABASE_URL, ENCRYPTION_KEYS and ADMIN_TOKEN')

// Replace this bus with your own, such as NATS or Redis.
const bus = memoryBus()
bus.subscribe(({ name, source }) => {
  console.log(source.endpoint, name)
})

const hash = (text: string) => createHash('sha256').update(text).digest()
const app = await createApp({
  databaseUrl,
  encryptionKeys: keys.split(','),
  publisher: bus,
  authorize: ({ headers }) => timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`)),
})
console.log(await app.listen({ port: Number(PORT) }))
