// Records a large delivery, then erases it, and kills itself at one moment of a call of the store.
import type { BodyStore } from '../src/bodies/body-store.ts'
import { openSqlite } from '../src/sqlite/index.ts'
import { folderBodyStore } from './body-stores.ts'
import { getDelivery } from './records.ts'

const [path = '', folder = '', moment = ''] = process.argv.slice(2)
const inner = folderBodyStore(folder)

const killing =
  <Call extends (...parameters: never[]) => Promise<unknown>>(name: string, call: Call) =>
  async (...parameters: Parameters<Call>) => {
    if (moment === `before ${name}`) process.kill(process.pid, 'SIGKILL')
    await call(...parameters)
    if (moment === `after ${name}`) process.kill(process.pid, 'SIGKILL')
  }
const store: BodyStore = {
  put: killing('put', inner.put),
  get: inner.get,
  delete: killing('delete', inner.delete),
}

const database = await openSqlite({ path, bodies: { store, above: 1000 } })
const inbox = database.inbox()
const quarantine = { key: 'doorbell:1', reason: 'unreadable' }
const delivery = getDelivery('doorbell:1', { events: [], quarantine })
await inbox.record(delivery)
await inbox.eraseBody(delivery.id)
