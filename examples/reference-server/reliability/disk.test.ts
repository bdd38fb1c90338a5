import { join } from 'node:path'
import { openSqlite } from '@sallyport/sql/sqlite'
import { describeNeeding } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import {
  runServerToItsEnd,
  startServerProcess,
  temporaryDirectory,
  type ServerProcess,
} from '../test/server-process.ts'
import { expectPublished } from './bus.ts'
import { fileLimits } from './file-limit.ts'
import { getId, sendRun, startLoad } from './load.ts'
import { smallDisks } from './small-disk.ts'

const secret = 'the secret of the code host'
const unavailable = '503 INBOX_UNAVAILABLE after 5'
const usual = ['200 accepted', '200 duplicate', '401 INVALID_SIGNATURE']

const environment = { TRUST_PROXY: '1', LOG_LEVEL: 'silent', WEBHOOK_SECRET_CODEHOST: secret }
const start = (path: string) => startServerProcess({ ...environment, DATA_DIR: path })

/** Under load the writes fail, and later succeed again: nothing that was acknowledged is lost, and nothing else kept. */
async function expectRecovery(
  path: string,
  server: ServerProcess,
  { fail, mend }: { readonly fail: () => Promise<void>; readonly mend: () => Promise<void> },
): Promise<void> {
  const target = { base: server.base, secret, padding: 16_000 }
  const load = startLoad(target)
  await expect.poll(() => load.acknowledged.size).toBeGreaterThan(50)
  await fail()
  await expect.poll(() => load.refused.length, { timeout: 60_000 }).toBeGreaterThan(50)
  await load.stop()
  expect(load.cutOff).toBe(0)
  expect([...load.answers.keys()].sort()).toEqual([...usual, unavailable])
  const getStatus = async (path: string) => (await fetch(server.base + path)).status
  expect(await getStatus('/health')).toBe(200)
  // Regression: the server stayed ready while every delivery failed. A full disk may accept a few more writes.
  await expect.poll(() => getStatus('/ready'), { timeout: 30_000 }).toBe(503)

  await mend()
  const probe = 1_000_000
  load.signed.add(getId(probe))
  await expect.poll(async () => (await sendRun(target, probe)).status, { timeout: 30_000 }).toBe(200)
  expect(await getStatus('/ready')).toBe(200)
  // Rejected deliveries were not recorded.
  for (const run of new Set(load.refused.slice(0, 20))) {
    const known = load.acknowledged.has(getId(run))
    expect((await sendRun(target, run)).said).toBe(known ? '200 duplicate' : '200 accepted')
  }
  const database = await openSqlite({ path: join(path, 'sallyport.db') })
  await expectPublished(database.bus(), load)
  await database.close()
}

describe('a server whose disk', () => {
  describeNeeding(smallDisks, (mountDisk) => {
    it('is full rejects deliveries until there is space', async () => {
      await using disk = await mountDisk(16)
      await disk.ballast.load(6 * 1024 * 1024)
      await using server = await start(disk.path)
      await expectRecovery(disk.path, server, {
        // The load fills the disk.
        fail: () => Promise.resolve(),
        mend: () => disk.ballast.drop(),
      })
    })

    it('is read-only does not start, and says why', async () => {
      await using disk = await mountDisk(16)
      {
        await using server = await start(disk.path)
        expect(await server.end('SIGTERM')).toBe(0)
      }
      await disk.remount('ro')
      const { code, errors, output } = await runServerToItsEnd({
        ...environment,
        DATA_DIR: disk.path,
        PORT: '0',
      })
      expect(code).toBe(78)
      expect(errors).toMatch(/^DATA_DIR has to be writable: EROFS/)
      expect(output).not.toContain('listens on')
      await disk.remount('rw')
      await using server = await start(disk.path)
      expect((await sendRun({ base: server.base, secret }, 1)).said).toBe('200 accepted')
    })
  })

  describeNeeding(fileLimits, (limitFiles) => {
    it('is read-only rejects deliveries until it is writable', async () => {
      await using data = await temporaryDirectory()
      await using server = await start(data.path)
      const pid = server.child.pid ?? 0
      await expectRecovery(data.path, server, {
        fail: () => limitFiles(pid, 4096),
        mend: () => limitFiles(pid, undefined),
      })
    })
  })

  it('is free but whose file is locked refuses until it is unlocked', async () => {
    await using data = await temporaryDirectory()
    await using server = await start(data.path)
    const target = { base: server.base, secret }
    const database = await openSqlite({ path: join(data.path, 'sallyport.db') })
    await database.kysely.transaction().execute(async () => {
      expect((await sendRun(target, 1)).said).toBe(unavailable)
    })
    // The delivery may have been recorded after the sender's timeout: then the response is a duplicate.
    expect((await sendRun(target, 1)).status).toBe(200)
    const only = new Set([getId(1)])
    await expectPublished(database.bus(), { acknowledged: only, signed: only })
    await database.close()
  })
})
