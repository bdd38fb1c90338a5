// The gateway over node:http with the inbox of INBOX, and a dispatcher to a bus that discards events.
import 'zod/compile'
import { codehost } from '@sallyport/providers/codehost'
import {
  createDispatcher,
  createGateway,
  memoryInbox,
  staticSecrets,
  type CompleteInbox,
  type Publisher,
} from '@sallyport/webhooks'
import { createNodeListener } from '@sallyport/webhooks/node'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { announce, secret } from './settings.ts'

const { INBOX = 'memory', DATA_DIR = '', DATABASE_URL = '' } = process.env

async function openInbox(): Promise<CompleteInbox> {
  if (INBOX === 'memory') return memoryInbox()
  if (INBOX === 'sqlite') {
    const { openSqlite } = await import('@sallyport/sql/sqlite')
    return (await openSqlite({ path: join(DATA_DIR, 'inbox.db') })).inbox()
  }
  const { openPostgres } = await import('@sallyport/sql/postgres')
  const database = await openPostgres({ url: DATABASE_URL })
  await database.migrateInbox()
  return database.inbox()
}

const inbox = await openInbox()
const publisher: Publisher = { publish: (events) => Promise.resolve(events.map(() => ({ ok: true }))) }
const dispatcher = createDispatcher({ inbox, publisher })
dispatcher.start()
const gateway = createGateway({
  providers: [codehost],
  secrets: staticSecrets({ codehost: [secret] }),
  inbox,
  dispatcher,
})

announce(createServer(createNodeListener(gateway)).listen(0, '127.0.0.1'))
