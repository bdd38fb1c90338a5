import { rename, rm, symlink } from 'node:fs/promises'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { getDelivery } from '../../test/records.ts'
import { openSqlite, type SqliteDatabase } from './index.ts'

const refused = { code: 'INBOX_UNAVAILABLE', status: 503, cause: { code: 'FILE_LOST' } }

let path: string
let database: SqliteDatabase
let lost: unknown[]
beforeEach(async () => {
  path = await newPath()
  lost = []
  database = await openSqlite({ path, onFileLost: (error) => lost.push(error) })
  await database.inbox().record(getDelivery('before'))
})
afterEach(() => database.close())
afterAll(removeFiles)

const record = (key: string) => database.inbox().record(getDelivery(key))
const insert = () =>
  database.kysely
    .insertInto('sequences')
    .values({ name: 'pings' as 'published', value: 1 })
    .execute()

describe('a database whose file is lost', () => {
  // Deliveries were once answered with 200, written into the deleted file, and lost at the next start.
  it.each([
    ['deleted', () => rm(path)],
    ['renamed', () => rename(path, `${path}.old`)],
    ['replaced', async () => (await openOther()).close()],
  ])('refuses records after the file was %s', async (_, lose) => {
    await lose()
    await expect(record('after')).rejects.toMatchObject(refused)
    await expect(database.inbox().ping()).rejects.toMatchObject(refused)
    expect(lost).toMatchObject([{ code: 'FILE_LOST' }, { code: 'FILE_LOST' }])
    expect(String(lost[0])).toContain(path)
  })

  // Another process makes a new index, and what was acknowledged is lost in a corrupt file.
  it.each(['-wal', '-shm'])(
    'refuses records after the %s of the write-ahead log was deleted',
    async (suffix) => {
      await rm(path + suffix)
      await expect(record('after')).rejects.toMatchObject(refused)
    },
  )

  it('refuses records after the write-ahead log of a symbolic link was deleted', async () => {
    const link = `${path}.link`
    await symlink(path, link)
    await database.close()
    database = await openSqlite({ path: link })
    await record('over the link')
    await rm(`${path}-wal`)
    await expect(record('after')).rejects.toMatchObject(refused)
  })

  it('refuses writes over kysely', async () => {
    await rm(path)
    const unavailable = { code: 'SERVICE_UNAVAILABLE', status: 503, cause: { code: 'FILE_LOST' } }
    await expect(insert()).rejects.toMatchObject(unavailable)
    await expect(
      database.kysely.transaction().execute((own) => own.selectFrom('events').select('id').execute()),
    ).rejects.toMatchObject(unavailable)
  })

  it('still answers reads over kysely', async () => {
    await rm(path)
    expect(await database.inbox().known(['before', 'after'])).toEqual([true, false])
  })

  it('records again after the file was moved back', async () => {
    await rename(path, `${path}.old`)
    await expect(record('during')).rejects.toMatchObject(refused)
    await rename(`${path}.old`, path)
    expect(await record('after')).toMatchObject({ events: [{ duplicate: false }] })
    await insert()
    expect(await database.inbox().known(['before', 'after'])).toEqual([true, true])
  })

  async function openOther(): Promise<SqliteDatabase> {
    for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix)
    return openSqlite({ path })
  }
})
