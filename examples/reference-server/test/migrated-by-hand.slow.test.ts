import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openPostgres } from '@sallyport/sql/postgres'
import { describeWith } from '@sallyport/test-support/services'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startApi } from './api.ts'
import { startInProcess } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

const script = fileURLToPath(new URL('../scripts/migrations-sql.ts', import.meta.url))

describeWith('postgres', (postgres) => {
  it('starts with MIGRATE=0 only after all printed migrations have run', async () => {
    await using data = await temporaryDirectory()
    const environment = { DATABASE_URL: postgres().url, MIGRATE: '0' }
    await expect(startInProcess({ ...environment, DATA_DIR: data.path })).rejects.toThrow(/0001-initial/)

    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@sallyport/source', script])
    const database = await openPostgres({ url: postgres().url })
    await sql.raw(stdout).execute(database.kysely)
    await database.close()

    await using api = await startApi(environment)
    const { token } = await api.user('Ada')
    expect((await api.call('GET', '/posts', { token })).status).toBe(200)
  })
})
