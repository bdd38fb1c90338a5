import { copyFile, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { newPath, removeFiles } from '../../test/files.ts'
import { getDelivery } from '../../test/records.ts'
import { openSqlite } from './index.ts'

vi.mock('node:fs/promises', { spy: true })

const missing = { name: 'SqliteError', code: 'DATABASE_MISSING' }

let path: string
beforeEach(async () => {
  path = await newPath()
  const source = await newPath()
  const database = await openSqlite({ path: source })
  await database.inbox().record(getDelivery('acknowledged'))
  await mkdir(dirname(path))
  // The files of a process that was killed.
  for (const suffix of ['', '-wal']) await copyFile(source + suffix, path + suffix)
  await database.close()
})
afterAll(removeFiles)

async function openAndFind(): Promise<readonly boolean[]> {
  const database = await openSqlite({ path })
  try {
    return await database.inbox().known(['acknowledged'])
  } finally {
    await database.close()
  }
}

it('keeps a write-ahead log whose database was renamed', async () => {
  const log = await readFile(`${path}-wal`)
  await rename(path, `${path}.old`)
  await expect(openSqlite({ path })).rejects.toMatchObject(missing)
  await expect(openSqlite({ path })).rejects.toMatchObject(missing)
  expect((await readFile(`${path}-wal`)).equals(log)).toBe(true)
  await rename(`${path}.old`, path)
  expect(await openAndFind()).toEqual([true])
})

it('keeps a write-ahead log whose database is empty', async () => {
  await writeFile(path, '')
  await expect(openSqlite({ path })).rejects.toMatchObject(missing)
})

it('keeps a write-ahead log next to the missing target of a symbolic link', async () => {
  const link = `${path}.link`
  await symlink(path, link)
  await rename(path, `${path}.old`)
  await expect(openSqlite({ path: link })).rejects.toMatchObject(missing)
})

it('keeps a write-ahead log behind several symbolic links', async () => {
  const folder = dirname(path)
  await mkdir(`${folder}/first/inner`, { recursive: true })
  await symlink('first/inner', `${folder}/second`)
  await symlink(path, `${folder}/first/last.link`)
  await symlink('../last.link', `${folder}/second/first.link`)
  const link = `${folder}/second/first.link`
  await rename(path, `${path}.old`)
  await expect(openSqlite({ path: link })).rejects.toMatchObject(missing)
})

it('rejects a symbolic link to itself', async () => {
  const link = `${path}.link`
  await symlink(link, link)
  await expect(openSqlite({ path: link })).rejects.toMatchObject({ code: 'ELOOP' })
})

it('opens a database that another process creates meanwhile', async () => {
  path = await newPath()
  const { stat: readStat } = await vi.importActual<{ stat: typeof stat }>('node:fs/promises')
  const other: { close: () => Promise<void> }[] = []
  vi.mocked(stat).mockImplementationOnce(async (file) => {
    const [read] = await Promise.allSettled([readStat(file)])
    other.push(await openSqlite({ path }))
    if (read.status === 'rejected') throw read.reason
    return read.value
  })
  expect(await openAndFind()).toEqual([false])
  expect(other).toHaveLength(1)
  await other[0]?.close()
})

it('creates a database next to an empty write-ahead log', async () => {
  await rename(path, `${path}.old`)
  await writeFile(`${path}-wal`, '')
  expect(await openAndFind()).toEqual([false])
})
