import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { openSqlite } from '../src/sqlite/index.ts'
import { folderBodyStore } from './body-stores.ts'
import { newPath, removeFiles } from './files.ts'
import { getDelivery } from './records.ts'

afterAll(removeFiles)

const script = fileURLToPath(new URL('large-body-process.ts', import.meta.url))
const later = { now: () => Date.now() + 2 * 60 * 60 * 1000 }

it.each([
  ['before put', 0, 'new'],
  ['after put', 1, 'new'],
  ['before delete', 1, 'erased'],
  ['after delete', 0, 'erased'],
])('a process that is killed %s leaves no object for good', async (moment, left, state) => {
  const path = await newPath()
  const folder = join(dirname(dirname(path)), 'objects')
  await mkdir(folder)
  const child = spawn(process.execPath, ['--conditions=@sallyport/source', script, path, folder, moment], {
    stdio: 'inherit',
  })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  expect(await readdir(folder)).toHaveLength(left)

  const database = await openSqlite({ path, bodies: { store: folderBodyStore(folder), above: 1000 } })
  const inbox = database.inbox(later)
  await inbox.prune({})
  expect(await readdir(folder)).toEqual([])
  const [found] = await inbox.list({ limit: 1 })
  expect(found?.bodyState).toBe(state === 'erased' ? 'erased' : undefined)
  // The service sends the delivery again.
  const quarantine = { key: 'doorbell:1', reason: 'unreadable' }
  const again = await inbox.record(getDelivery('doorbell:1', { events: [], quarantine }))
  expect(again.events[0]?.duplicate).toBe(state === 'erased')
  await database.close()
})
